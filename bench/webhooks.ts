import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startFakeStripe } from '../fakes/stripe/server.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import { startProxy } from '../server/harness/proxy.ts';
import { startApp } from '../server/src/app.ts';
import { parseConfig } from '../server/src/config/config.ts';
import { readEnvironment } from '../server/src/config/env.ts';

/** How long a webhook waits for its answer when the database delays every statement. */
const { values } = parseArgs({
  options: {
    latency: { type: 'string', default: '200' },
    events: { type: 'string', default: '200' },
    atOnce: { type: 'string', default: '4' },
  },
});
const latency = Number(values.latency);
const events = Number(values.events);

await using postgres = await startOwnPostgres();
await using proxy = await startProxy(new URL(postgres.url));
await using stripe = await startFakeStripe({
  secretKey: 'sk_test_bench',
  webhookSecret: 'whsec_bench',
});
const directory = mkdtempSync(join(tmpdir(), 'rowmill-bench-'));
const settings = {
  PORT: '0',
  DATA_DIR: directory,
  DEMO: 'off',
  LOG_LEVEL: 'silent',
  CHAT_BASE_URL: 'demo',
  DATABASE_URL: proxy.url,
  ...stripe.settings,
};
const app = await startApp(parseConfig(readEnvironment(settings)));
// The first events open the connections.
for (let warm = 0; warm < 20; warm++) await deliver(`evt_warm_${warm}`);
proxy.state.milliseconds = latency;
const times: number[] = [];
let next = 0;
await Promise.all(Array.from({ length: Number(values.atOnce) }, work));
proxy.state.milliseconds = 0;
const stored = await app.ctx.db
  .selectFrom('provider_events')
  .select('event_id')
  .where('event_id', 'like', 'evt_slow_%')
  .execute();
times.sort((one, other) => one - other);
const percentile = (share: number) =>
  Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
process.stdout.write(
  `${times.length} events, ${values.atOnce} at once, ${latency} ms per statement: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, ` +
    `at most ${percentile(1)} ms; ${stored.length} stored\n`,
);
await app[Symbol.asyncDispose]();
rmSync(directory, { recursive: true, force: true });

async function work(): Promise<void> {
  while (next < events) {
    const started = performance.now();
    await deliver(`evt_slow_${next++}`);
    times.push(performance.now() - started);
  }
}

async function deliver(id: string): Promise<void> {
  const payment = { id: 'pi_unknown', object: 'payment_intent', metadata: {} };
  const body = JSON.stringify({
    id,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: payment },
  });
  const headers = { 'content-type': 'application/json', 'stripe-signature': stripe.sign(body) };
  const response = await fetch(`${app.url}/webhooks/stripe`, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(`A webhook was answered ${response.status}.`);
  await response.arrayBuffer();
}
