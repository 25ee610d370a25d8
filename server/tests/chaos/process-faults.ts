import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import {
  behave,
  type Child,
  callsAt,
  clientAt,
  kill9,
  median,
  prepareData,
  sheetOf,
  startBatch,
  startFakeChatProcess,
  startProduct,
} from '../../harness/product-process.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { findBrokenInvariants } from '../../src/db/invariants.ts';
import { killTest } from './repeated-kills.ts';

const concurrency = 16;
const quiet = { LOG_LEVEL: 'silent', CHAT_CONCURRENCY: `${concurrency}` };

/** A1: the server is killed over and over while a batch runs. */
export async function manyKills({ rows, kills }: { rows: number; kills: number }): Promise<string> {
  const report = await killTest({
    rows,
    kills,
    concurrency,
    lifeMilliseconds: 1_500,
    say: () => {},
  });
  const {
    answered,
    failed,
    charged,
    spent,
    repeatedCalls,
    repeatedAtMost,
    leftAtLastKill,
    brokenInvariants,
  } = report;
  return (
    `${kills} kills, ${rows} rows (${leftAtLastKill} left at the last kill): lost ${rows - answered - failed}, ` +
    `answered ${answered}, charged ${charged}, spent ${spent}; calls repeated ${repeatedCalls} (at most ${repeatedAtMost}); ` +
    `broken invariants ${brokenInvariants.length}`
  );
}

/** A3: from the port to the first new call, after a kill. */
export async function resumption({ kills }: { kills: number }): Promise<string> {
  await using chat = await startFakeChatProcess('--latency', '200');
  const directory = await prepareData(20_000);
  const env = { ...quiet, CHAT_BASE_URL: chat.url };
  const figures: { ready: number; first: number }[] = [];
  let server = await startProduct(env, directory, { keeps: true });
  const id = await startBatch(await clientAt(server.url), 20_000);
  for (let kill = 0; kill < kills; kill++) {
    await whenCalled(chat.url, (await callsAt(chat.url)).length + 50);
    await kill9(server);
    const calls = (await callsAt(chat.url)).length;
    const started = performance.now();
    server = await startProduct(env, directory, { keeps: true });
    const ready = performance.now();
    await whenCalled(chat.url, calls + 1);
    figures.push({ ready: ready - started, first: performance.now() - ready });
  }
  await (await clientAt(server.url)).call('stopFileProcessing', { id });
  await server[Symbol.asyncDispose]();
  const ready = figures.map((figure) => figure.ready);
  const first = figures.map((figure) => figure.first);
  return (
    `${kills} kills: ready after ${seconds(median(ready))} s (at most ${seconds(Math.max(...ready))}), ` +
    `first new call ${seconds(median(first))} s after that (at most ${seconds(Math.max(...first))})`
  );
}

/** A3: how long a start takes when so many rows are kept. */
export async function storedRows(rows: number): Promise<string> {
  const directory = await prepareData(rows);
  const env = { ...quiet, CHAT_BASE_URL: 'demo', CHAT_MODEL: '' };
  const first = await startProduct(env, directory, { keeps: true });
  const client = await clientAt(first.url);
  const id = await startBatch(client, rows);
  await client.call('stopFileProcessing', { id });
  await first[Symbol.asyncDispose]();
  const few = await startSeconds(env, directory);
  await fillUp(directory, id);
  return `${rows} rows stored: ready after ${await startSeconds(env, directory)} s (before, with few, after ${few} s)`;
}

async function startSeconds(env: Record<string, string>, directory: string): Promise<string> {
  const started = performance.now();
  const server = await startProduct(env, directory, { keeps: true });
  const ready = performance.now() - started;
  await server[Symbol.asyncDispose]();
  return seconds(ready);
}

/** A4: SIGTERM with every place taken, and what a later start makes of it. */
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
  const client = await clientAt(first.url);
  // With one answer the engine is not cautious any more.
  await client.call('askChatGpt', {
    questionWithVariable: '{{Row}}',
    query: { file: await client.upload(sheetOf(1)), start: true },
  });
  await whenCalled(chat.url, 1);
  await behave(chat.url, { latency: latencyMilliseconds });
  const id = await startBatch(client, rows - 1);
  await whenCalled(chat.url, 1 + concurrency);
  const { code, milliseconds } = await terminate(first);
  await behave(chat.url, { latency: 0 });
  await using second = await startProduct(env, directory, { keeps: true });
  const ended = await (await clientAt(second.url)).whenEnded(id);
  const prompts = (await callsAt(chat.url))
    .map(({ prompt }) => prompt)
    .filter((prompt) => prompt.startsWith('Say'));
  return (
    `SIGTERM with ${concurrency} in flight, answers after ${latencyMilliseconds / 1_000} s: exit code ${code} after ` +
    `${seconds(milliseconds)} s; then answered ${ended.answered} of ${ended.rows}, failed ${ended.failed}, ` +
    `charged ${ended.charged}; calls repeated ${prompts.length - new Set(prompts).size}`
  );
}

/** Roughly how long an import takes on a busy machine, so that the kills are spread over it. */
const importMilliseconds = 2_500;

/** A9: the server is killed while it imports a sheet. */
export async function importKills({
  rows,
  kills,
}: {
  rows: number;
  kills: number;
}): Promise<string> {
  const directory = await prepareData(1_000);
  const env = { ...quiet, CHAT_BASE_URL: 'demo', CHAT_MODEL: '' };
  const before = await totals(directory);
  let answered = 0;
  for (let kill = 0; kill < kills; kill++) {
    const server = await startProduct(env, directory, { keeps: true });
    const upload = (await clientAt(server.url)).upload(sheetOf(rows)).then(
      () => 1,
      () => 0,
    );
    await new Promise((resolve) => setTimeout(resolve, Math.random() * importMilliseconds));
    await kill9(server);
    answered += await upload;
  }
  await (await startProduct(env, directory, { keeps: true }))[Symbol.asyncDispose]();
  const left = await readdir(join(directory, 'files/unfinished'));
  const after = await totals(directory);
  await using database = await openDatabase({ kind: 'embedded', directory });
  const sheets = await database.db.selectFrom('sheets').select('rows').execute();
  const broken = await findBrokenInvariants(database.db);
  return (
    `${kills} kills while ${rows} rows were imported: ${sheets.length} sheets there, ${answered} of them answered for, ` +
    `incomplete ${sheets.filter((sheet) => sheet.rows !== rows).length}; temporary files left ${left.length}; ` +
    `submissions moved ${after - before}; broken invariants ${broken.length}`
  );
}

async function terminate(server: Child): Promise<{ code: number | null; milliseconds: number }> {
  const started = performance.now();
  const ended = new Promise<number | null>((resolve) => server.process.once('exit', resolve));
  server.process.kill('SIGTERM');
  return { code: await ended, milliseconds: performance.now() - started };
}

async function whenCalled(url: string, calls: number): Promise<void> {
  while ((await callsAt(url)).length < calls)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Rows that failed cost nothing, so that the books stay right. */
async function fillUp(directory: string, id: string): Promise<void> {
  await using database = await openDatabase({ kind: 'embedded', directory });
  await sql`
    insert into results (batch_id, row, state, problem)
    select ${id}, row, 'failed', 'Put there by a measurement.' from batches, generate_series(0, rows - 1) as row where id = ${id}
    on conflict do nothing`.execute(database.db);
  await sql`update batches set failed = rows - answered where id = ${id}`.execute(database.db);
}

async function totals(directory: string): Promise<number> {
  await using database = await openDatabase({ kind: 'embedded', directory });
  const accounts = await database.db.selectFrom('credit_accounts').select('available').execute();
  return accounts.reduce((sum, { available }) => sum + available, 0);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}
