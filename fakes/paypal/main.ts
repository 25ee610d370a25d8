import { parseArgs } from 'node:util';
import { startFakePaypal } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    id: { type: 'string', default: 'fake-client' },
    secret: { type: 'string', default: 'fake-secret' },
    'webhook-id': { type: 'string', default: 'fake-webhook' },
    deliver: { type: 'string' },
  },
});

const { port, id: clientId, secret: clientSecret, 'webhook-id': webhookId, deliver } = values;
const fake = await startFakePaypal({ port: Number(port), clientId, clientSecret, webhookId });
if (deliver) fake.sender.deliverTo(deliver);
process.stdout.write(`${JSON.stringify({ url: fake.url })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void fake[Symbol.asyncDispose]());
