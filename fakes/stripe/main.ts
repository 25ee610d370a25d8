import { parseArgs } from 'node:util';
import { startFakeStripe } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    key: { type: 'string', default: 'sk_test_fake' },
    'webhook-secret': { type: 'string', default: 'whsec_fake' },
    deliver: { type: 'string' },
  },
});

const { port, key: secretKey, 'webhook-secret': webhookSecret, deliver } = values;
const fake = await startFakeStripe({ port: Number(port), secretKey, webhookSecret });
if (deliver) fake.sender.deliverTo(deliver);
process.stdout.write(`${JSON.stringify({ url: fake.url })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void fake[Symbol.asyncDispose]());
