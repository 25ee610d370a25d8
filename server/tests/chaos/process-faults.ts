import { sql } from 'kysely';
import { sheetOf, signInDemo, startBatch } from '../../harness/api-client.ts';
import { median } from '../../harness/figures.ts';
import {
  behave,
  type Child,
  callsAt,
  kill9,
  prepareData,
  startFakeChatProcess,
  startProduct,
  whenCalled,
} from '../../harness/processes.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { killRepeatedly, missesOf } from './repeated-kills.ts';
import { embedded, seconds } from './totals.ts';

const concurrency = 16;
const quiet = { LOG_LEVEL: 'silent', CHAT_CONCURRENCY: `${concurrency}` };
const demoModel = { ...quiet, CHAT_BASE_URL: 'demo', CHAT_MODEL: '' };

export async function kills({ rows, kills }: { rows: number; kills: number }) {
  const inFlight = 64;
  const report = await killRepeatedly({ rows, kills, concurrency: inFlight });
  const { answered, failed, charged, spent, repeatedCalls, repeatedAtMost } = report;
  const line =
    `${kills} kills, ${inFlight} in flight, ${rows} rows (${report.openRowsAtLastKill} open at the last kill): ` +
    `lost ${rows - answered - failed}, answered ${answered}, charged ${charged}, spent ${spent}; ` +
    `tokens ${report.tokens} (of the provider: ${report.tokensOfRows} for one call of each row, ` +
    `${report.tokensOfCalls} for all); ` +
    `repeated calls ${repeatedCalls} (at most ${repeatedAtMost}); ` +
    `failed ledger checks ${report.brokenInvariants.length}`;
  return { line, misses: missesOf(report) };
}

/** From the start after a kill to the open port, and from there to the first new call. */
export async function resumption({ kills }: { kills: number }): Promise<string> {
  await using chat = await startFakeChatProcess('--latency', '200');
  const directory = await prepareData(20_000);
  const env = { ...quiet, CHAT_BASE_URL: chat.url };
  const ready: number[] = [];
  const firstCall: number[] = [];
  let server = await startProduct(env, directory, { keeps: true });
  const id = await startBatch(await signInDemo(server.url), 20_000);
  for (let kill = 0; kill < kills; kill++) {
    await whenCalled(chat.url, (await callsAt(chat.url)).length + 50);
    await kill9(server);
    const calls = (await callsAt(chat.url)).length;
    const started = performance.now();
    server = await startProduct(env, directory, { keeps: true });
    const opened = performance.now();
    await whenCalled(chat.url, calls + 1);
    ready.push(opened - started);
    firstCall.push(performance.now() - opened);
  }
  await (await signInDemo(server.url)).call('stopFileProcessing', { id });
  await server[Symbol.asyncDispose]();
  const figures = (values: number[]) =>
    `${seconds(median(values))} s (at most ${seconds(Math.max(...values))})`;
  return `${kills} kills: ready after ${figures(ready)}, first new call ${figures(firstCall)} later`;
}

/** How long a start takes with many stored rows. */
export async function storedRows(rows: number): Promise<string> {
  const directory = await prepareData(rows);
  const first = await startProduct(demoModel, directory, { keeps: true });
  const client = await signInDemo(first.url);
  const id = await startBatch(client, rows);
  await client.call('stopFileProcessing', { id });
  await first[Symbol.asyncDispose]();
  const withFew = await measureStart(directory);
  await storeFailedRows(directory, id);
  const withAll = await measureStart(directory);
  return `${rows} stored rows: ready after ${withAll} s (with few rows ${withFew} s)`;
}

async function measureStart(directory: string): Promise<string> {
  const started = performance.now();
  const server = await startProduct(demoModel, directory, { keeps: true });
  const ready = performance.now() - started;
  await server[Symbol.asyncDispose]();
  return seconds(ready);
}

/** SIGTERM with all calls in flight, and what the next start makes of them. */
export async function terminations({
  latencyMilliseconds,
}: {
  latencyMilliseconds: number;
}): Promise<string> {
  const rows = 200;
  await using chat = await startFakeChatProcess('--latency', '0');
  const directory = await prepareData(rows);
  const env = { ...quiet, CHAT_BASE_URL: chat.url };
  const first = await startProduct(env, directory, { keeps: true });
  const client = await signInDemo(first.url);
  // After one answer the engine uses its full concurrency.
  await client.start(await client.upload(sheetOf(1)), '{{Row}}');
  await whenCalled(chat.url, 1);
  await behave(chat.url, { latency: latencyMilliseconds });
  const id = await startBatch(client, rows - 1);
  await whenCalled(chat.url, 1 + concurrency);
  const { code, milliseconds } = await terminate(first);
  await behave(chat.url, { latency: 0 });
  await using second = await startProduct(env, directory, { keeps: true });
  const ended = await (await signInDemo(second.url)).whenEnded(id);
  const prompts = (await callsAt(chat.url))
    .map(({ prompt }) => prompt)
    .filter((prompt) => prompt.startsWith('Say'));
  return (
    `SIGTERM with ${concurrency} in flight, answers after ${latencyMilliseconds / 1_000} s: ` +
    `exit code ${code} after ${seconds(milliseconds)} s; ` +
    `then answered ${ended.answered} of ${ended.rows}, failed ${ended.failed}, ` +
    `charged ${ended.charged}; repeated calls ${prompts.length - new Set(prompts).size}`
  );
}

async function terminate(server: Child): Promise<{ code: number | null; milliseconds: number }> {
  const started = performance.now();
  const ended = new Promise<number | null>((resolve) => server.process.once('exit', resolve));
  server.process.kill('SIGTERM');
  return { code: await ended, milliseconds: performance.now() - started };
}

/** Failed rows cost nothing, so the ledger checks still pass. */
async function storeFailedRows(directory: string, id: string): Promise<void> {
  await using database = await openDatabase(embedded(directory));
  await sql`
    insert into results (batch_id, row, state, problem)
    select ${id}, row, 'failed', 'Inserted by a measurement.' from batches, generate_series(0, rows - 1) as row where id = ${id}
    on conflict do nothing`.execute(database.db);
  await sql`update batches set failed = rows - answered where id = ${id}`.execute(database.db);
}
