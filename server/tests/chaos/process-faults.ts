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
import { killRepeatedly, missesOf, repeatedPerCallInFlight } from './repeated-kills.ts';
import {
  broken,
  type CheckResult,
  embedded,
  inTime,
  promisesOf,
  readTotals,
  repeatedIn,
  seconds,
} from './totals.ts';

const concurrency = 16;
const quiet = { LOG_LEVEL: 'silent', CHAT_CONCURRENCY: `${concurrency}` };
/** A start on a busy machine takes up to 8 s. */
const startsWithinSeconds = 30;
/** A slice of a dead process is taken over after at most 20 s, on this database at once. */
const callsWithinSeconds = 30;
const endsWithinSeconds = 25;
/** What calls in flight get of it. */
const patienceMilliseconds = 18_000;
const demoModel = { ...quiet, CHAT_BASE_URL: 'demo', CHAT_MODEL: '' };

export async function kills({
  rows,
  kills,
}: {
  rows: number;
  kills: number;
}): Promise<CheckResult> {
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
export async function resumption({ kills }: { kills: number }): Promise<CheckResult> {
  const rows = 20_000;
  await using chat = await startFakeChatProcess('--latency', '200');
  const directory = await prepareData();
  const env = { ...quiet, CHAT_BASE_URL: chat.url };
  const ready: number[] = [];
  const firstCall: number[] = [];
  let server = await startProduct(env, directory, { keeps: true });
  await using _ = { [Symbol.asyncDispose]: () => kill9(server) };
  const id = await startBatch(await signInDemo(server.url), rows);
  for (let kill = 0; kill < kills; kill++) {
    const calledAtKill = (await callsAt(chat.url)).length + 50;
    await inTime('calls before a kill', whenCalled(chat.url, calledAtKill));
    await kill9(server);
    const calls = (await callsAt(chat.url)).length;
    const started = performance.now();
    server = await startProduct(env, directory, { keeps: true });
    const opened = performance.now();
    await inTime('a call after a kill', whenCalled(chat.url, calls + 1));
    ready.push(opened - started);
    firstCall.push(performance.now() - opened);
  }
  await behave(chat.url, { latency: 0 });
  const ended = await inTime('the end of the batch', (await signInDemo(server.url)).whenEnded(id));
  await server[Symbol.asyncDispose]();
  const prompts = (await callsAt(chat.url)).map(({ prompt }) => prompt);
  const { spent, brokenInvariants } = await readTotals(embedded(directory));
  const figures = (values: number[]) =>
    `${seconds(median(values))} s (at most ${seconds(Math.max(...values))})`;
  return {
    line: `${kills} kills: ready after ${figures(ready)}, first new call ${figures(firstCall)} later`,
    misses: broken({
      [`every start is ready within ${startsWithinSeconds} s`]: areWithin(
        startsWithinSeconds,
        ready,
      ),
      [`a call follows within ${callsWithinSeconds} s`]: areWithin(callsWithinSeconds, firstCall),
      ...promisesOf(
        { ...ended, spent, prompts, brokenInvariants },
        { repeatedAtMost: kills * concurrency * repeatedPerCallInFlight },
      ),
    }),
  };
}

const areWithin = (seconds: number, milliseconds: readonly number[]) =>
  milliseconds.length > 0 && milliseconds.every((each) => each <= seconds * 1_000);

/** How long a start takes with many stored rows. */
export async function storedRows(rows: number): Promise<CheckResult> {
  const directory = await prepareData();
  const first = await startProduct(demoModel, directory, { keeps: true });
  const client = await signInDemo(first.url);
  const id = await startBatch(client, rows);
  await client.call('stopFileProcessing', { id });
  await first[Symbol.asyncDispose]();
  const withFew = await measureStart(directory);
  await storeFailedRows(directory, id);
  const withAll = await measureStart(directory);
  const { openRows, problems, spent, charged, brokenInvariants } = await readTotals(
    embedded(directory),
  );
  const figures = `ready after ${seconds(withAll)} s (with few rows ${seconds(withFew)} s)`;
  return {
    line: `${rows} stored rows: ${figures}`,
    misses: broken({
      [`every start is ready within ${startsWithinSeconds} s`]: areWithin(startsWithinSeconds, [
        withFew,
        withAll,
      ]),
      'every row is stored': openRows === 0 && problems.length > 0,
      'what was spent is what was charged': spent === charged,
      'all ledger checks pass': brokenInvariants.length === 0,
    }),
  };
}

async function measureStart(directory: string): Promise<number> {
  const started = performance.now();
  const server = await startProduct(demoModel, directory, { keeps: true });
  const ready = performance.now() - started;
  await server[Symbol.asyncDispose]();
  return ready;
}

/** SIGTERM with all calls in flight, and what the next start makes of them. */
export async function terminations({
  latencyMilliseconds,
}: {
  latencyMilliseconds: number;
}): Promise<CheckResult> {
  const rows = 200;
  await using chat = await startFakeChatProcess('--latency', '0');
  const directory = await prepareData();
  const env = { ...quiet, CHAT_BASE_URL: chat.url };
  await using first = await startProduct(env, directory, { keeps: true });
  const client = await signInDemo(first.url);
  // After one answer the engine uses its full concurrency.
  await client.start(await client.upload(sheetOf(1)), '{{Row}}');
  await inTime('the first call', whenCalled(chat.url, 1));
  await behave(chat.url, { latency: latencyMilliseconds });
  const id = await startBatch(client, rows - 1);
  await inTime('all calls in flight', whenCalled(chat.url, 1 + concurrency));
  const { code, milliseconds } = await terminate(first);
  await behave(chat.url, { latency: 0 });
  const second = await startProduct(env, directory, { keeps: true });
  const ended = await inTime('the end of the batch', (await signInDemo(second.url)).whenEnded(id));
  await second[Symbol.asyncDispose]();
  const prompts = (await callsAt(chat.url))
    .map(({ prompt }) => prompt)
    .filter((prompt) => prompt.startsWith('Say'));
  const { spent, brokenInvariants } = await readTotals(embedded(directory));
  return {
    line:
      `SIGTERM with ${concurrency} in flight, answers after ${latencyMilliseconds / 1_000} s: ` +
      `exit code ${code} after ${seconds(milliseconds)} s; ` +
      `then answered ${ended.answered} of ${ended.rows}, failed ${ended.failed}, ` +
      `charged ${ended.charged}; repeated calls ${repeatedIn(prompts)}`,
    misses: broken({
      'the exit code is 0': code === 0,
      [`it ends within ${endsWithinSeconds} s`]: areWithin(endsWithinSeconds, [milliseconds]),
      ...promisesOf(
        // Without the first batch, of one row.
        { ...ended, spent: spent - 1, prompts, brokenInvariants },
        { repeatedAtMost: latencyMilliseconds < patienceMilliseconds ? 0 : concurrency },
      ),
    }),
  };
}

async function terminate(server: Child): Promise<{ code: number | null; milliseconds: number }> {
  const started = performance.now();
  const ended = new Promise<number | null>((resolve) => server.process.once('exit', resolve));
  server.process.kill('SIGTERM');
  try {
    const code = await inTime('the end after SIGTERM', ended);
    return { code, milliseconds: performance.now() - started };
  } finally {
    await kill9(server);
  }
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
