import { parseArgs } from 'node:util';
import { startFakeChat } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    share429: { type: 'string', default: '0' },
    share500: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    'retry-after': { type: 'string' },
    'limit-per-second': { type: 'string' },
    log: { type: 'string' },
    key: { type: 'string' },
  },
});
const limit = values['limit-per-second'];

const fake = await startFakeChat({
  port: Number(values.port),
  latency: Number(values.latency),
  share429: Number(values.share429),
  share500: Number(values.share500),
  seed: Number(values.seed),
  retryAfter: values['retry-after'] ?? null,
  limitPerSecond: limit === undefined ? null : Number(limit),
  log: values.log ?? null,
  key: values.key ?? null,
});
process.stdout.write(`${JSON.stringify({ url: fake.url })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void fake.close());
