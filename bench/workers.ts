import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ApiClient, signInDemo, startBatch } from '../server/harness/api-client.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import { prepareData, startFakeChatProcess, startProduct } from '../server/harness/processes.ts';

/**
 * Rows per second of one, two and four workers on one PostgreSQL, each with its own calls in
 * flight, against a provider of 1 s. The first and the last fifth of the rows are left out. Exits
 * with 1 below 0.9 of linear.
 */
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4' },
    concurrency: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '60' },
  },
});
const concurrency = Number(values.concurrency);
const linearAtLeast = 0.9;
const counts = values.workers.split(',').map(Number);
const rowsOf = (workers: number) => concurrency * workers * Number(values.seconds);

const chat = await startFakeChatProcess('--latency', '1000');
const postgres = await startOwnPostgres();
const env = {
  DEMO: 'off',
  LOG_LEVEL: 'silent',
  CHAT_BASE_URL: chat.url,
  DATABASE_URL: postgres.url,
};
rmSync(await prepareData(env), { recursive: true });
const directory = mkdtempSync(join(tmpdir(), 'rowmill-workers-'));
let ofOne = 0;
for (const workers of counts) {
  const speed = await measure(workers);
  ofOne ||= speed / workers;
  const linear = speed / workers / ofOne;
  if (linear < linearAtLeast) process.exitCode = 1;
  process.stdout.write(
    `${workers} workers, ${concurrency} in flight each: ${speed.toFixed(1)} rows/s, ${linear.toFixed(2)} of linear, ${(speed / workers / concurrency).toFixed(2)} of what the provider allows\n`,
  );
}
await postgres[Symbol.asyncDispose]();
await chat[Symbol.asyncDispose]();
rmSync(directory, { recursive: true, force: true });
// The library of the PostgreSQL ends the process with 0 otherwise.
process.exit();

async function measure(workers: number): Promise<number> {
  await using stack = new AsyncDisposableStack();
  // The setting counts the calls of all workers together.
  const shared = { ...env, CHAT_CONCURRENCY: `${concurrency * workers}` };
  const start = async (roles: string) =>
    stack.use(await startProduct({ ...shared, SERVE: roles }, directory, { keeps: true }));
  const api = await start('site,auth,plan,main');
  for (let worker = 0; worker < workers; worker++) await start('worker');
  const client = await signInDemo(api.url);
  const rows = rowsOf(workers);
  const id = await startBatch(client, rows);
  const from = await whenAnswered(client, id, rows / 5);
  const to = await whenAnswered(client, id, (4 * rows) / 5);
  await client.whenEnded(id, 500);
  return ((to.answered - from.answered) * 1_000) / (to.at - from.at);
}

async function whenAnswered(client: ApiClient, id: string, rows: number) {
  for (;;) {
    const { batch } = await client.call('getBatch', { id });
    if (batch.answered >= rows) return { answered: batch.answered, at: performance.now() };
    await wait(200);
  }
}
