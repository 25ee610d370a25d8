import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { signInDemo, startBatch } from '../server/harness/api-client.ts';
import { median, millisecondsOf, percentile95 } from '../server/harness/figures.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import { databaseOf, prepareData, startProduct } from '../server/harness/processes.ts';
import { openDatabase } from '../server/src/db/connect.ts';
import { connectBrowsers } from './api/browsers.ts';
import { fillLists } from './api/fill-lists.ts';

/**
 * How lists grow: the same calls to an installation with few batches, people and audit entries and
 * to one with many, in turns, so that a busy machine slows both. Then rows deep in a large batch,
 * and the product with many connected browsers.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200' },
    rows: { type: 'string', default: '1000000' },
    browsers: { type: 'string', default: '500' },
    postgres: { type: 'boolean', default: false },
  },
});
const sizes = [
  { batches: 1_000, people: 1_000 },
  { batches: 100_000, people: 5_000 },
] as const;
const p95AtMost = 50;
const ratioAtMost = 1.5;
/** Of a call while they are connected and a batch runs. */
const withBrowsersAtMost = 100;
const megabytesOfBrowsersAtMost = 100;
const warmUpCalls = 5;
const demoModel = { CHAT_BASE_URL: 'demo', CHAT_MODEL: 'demo', CHAT_CONCURRENCY: '64' };

type Installation = Awaited<ReturnType<typeof install>>;

const all = { start: 0, limit: 20, search: '' };
const lists: Record<string, (installation: Installation, size: number) => Promise<unknown>> = {
  'getProcessedFiles, newest': ({ client }) => client.call('getProcessedFiles', all),
  'getProcessedFiles, last page': ({ client }, size) =>
    client.call('getProcessedFiles', { ...all, start: (sizes[size]?.batches ?? 0) - 20 }),
  'getProcessedFiles, stopped': ({ client }) =>
    client.call('getProcessedFiles', { ...all, state: 'stopped' }),
  'getProcessedFiles, by name': ({ client }) =>
    client.call('getProcessedFiles', { ...all, sort: 'name' }),
  'getProcessedFiles, search': ({ client }) =>
    client.call('getProcessedFiles', { ...all, search: 'sheet 77' }),
  'getAuditLog, newest': ({ operator }) => operator.call('getAuditLog', all),
  'getAuditLog, last page': ({ operator }, size) =>
    operator.call('getAuditLog', { ...all, start: (sizes[size]?.batches ?? 0) - 20 }),
  'getAuditLog, search': ({ operator }) =>
    operator.call('getAuditLog', { ...all, search: 'person 77' }),
  'getPeople, newest': ({ operator }) => operator.call('getPeople', all),
  'getPeople, last page': ({ operator }, size) =>
    operator.call('getPeople', { ...all, start: (sizes[size]?.people ?? 0) - 20 }),
  'getPeople, search': ({ operator }) =>
    operator.call('getPeople', { ...all, search: 'person 77' }),
  'userList, newest': ({ admin }) => admin.call('userList', all),
  'userList, last page': ({ admin }, size) =>
    admin.call('userList', { ...all, start: (sizes[size]?.people ?? 0) - 20 }),
  'userList, search': ({ admin }) => admin.call('userList', { ...all, search: 'person 77' }),
};

const stack = new AsyncDisposableStack();
const installations = [];
for (const [index] of sizes.entries()) installations.push(await install(index));
for (const [name, call] of Object.entries(lists)) {
  const work = installations.map((each, index) => () => millisecondsOf(() => call(each, index)));
  compare(name, await inTurns(work));
}
const large = installations.at(-1) as Installation;
if (Number(values.rows) > 0) await measureDeepRows(large, Number(values.rows));
if (Number(values.browsers) > 0) await measureBrowsers(large, Number(values.browsers));
await stack.disposeAsync();
// The library of the PostgreSQL ends the process with 0 otherwise.
process.exit();

async function install(size: number) {
  const env: Record<string, string> = { ...demoModel, LOG_LEVEL: 'silent' };
  const postgres = values.postgres ? stack.use(await startOwnPostgres()) : null;
  if (postgres) Object.assign(env, { DEMO: 'off', DATABASE_URL: postgres.url });
  const directory = await prepareData(env);
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  {
    await using database = await openDatabase(databaseOf(postgres?.url, directory));
    await fillLists(database.db, sizes[size] ?? sizes[0]);
  }
  const server = stack.use(await startProduct(env, directory, { keeps: true }));
  return {
    server,
    client: await signInDemo(server.url),
    admin: await signInDemo(server.url, 'admin'),
    operator: await signInDemo(server.url, 'operator'),
  };
}

/** A page at the start of a batch and one at its end. */
async function measureDeepRows({ client }: Installation, rows: number): Promise<void> {
  const id = await startBatch(client, rows);
  await client.whenEnded(id, 1_000);
  const page = (start: number) =>
    millisecondsOf(() => client.call('getRows', { id, start, limit: 50 }));
  const times = await inTurns([() => page(0), () => page(rows - 50)]);
  compare(`getRows, page of row ${rows}`, times);
}

/** Browsers that show their dashboards while a batch of another person runs. */
async function measureBrowsers({ client, server }: Installation, count: number): Promise<void> {
  const memory = () => client.metric('process_resident_memory_bytes');
  const balance = () => millisecondsOf(() => client.call('getAvailableCredits', {}));
  const alone = [];
  for (let call = 0; call < Number(values.calls); call++) alone.push(await balance());
  const before = await memory();
  await using browsers = await connectBrowsers(server.url, count);
  const id = await startBatch(client, 20_000);
  const times = [];
  for (let call = 0; call < Number(values.calls); call++) times.push(await balance());
  await client.whenEnded(id, 200);
  const grown = ((await memory()) - before) / 1_000_000;
  const line = `${browsers.connected()} connected: p95 ${percentile95(times).toFixed(1)} ms during a batch (${percentile95(alone).toFixed(1)} without both), ${grown.toFixed(0)} MB more`;
  const isMissed =
    browsers.connected() < count ||
    percentile95(times) > withBrowsersAtMost ||
    grown > megabytesOfBrowsersAtMost;
  print(isMissed, 'browsers', line);
}

/** The times of each, without those of the first calls. */
async function inTurns(calls: readonly (() => Promise<number>)[]): Promise<number[][]> {
  const times = calls.map(() => [] as number[]);
  for (let round = -warmUpCalls; round < Number(values.calls); round++)
    for (const [index, call] of calls.entries()) {
      const took = await call();
      if (round >= 0) times[index]?.push(took);
    }
  return times;
}

/** A small case and a large one. */
function compare(what: string, times: readonly number[][]): void {
  const [few = Number.NaN, many = Number.NaN] = times.map(percentile95);
  const [fewMedian = 0, manyMedian = 0] = times.map(median);
  print(
    many > p95AtMost || many / few > ratioAtMost,
    what,
    `p95 ${few.toFixed(1)} and ${many.toFixed(1)} ms, ${(many / few).toFixed(2)} times; median ${fewMedian.toFixed(1)} and ${manyMedian.toFixed(1)} ms, ${(manyMedian / fewMedian).toFixed(2)} times`,
  );
}

function print(isMissed: boolean, what: string, figures: string): void {
  if (isMissed) process.exitCode = 1;
  process.stdout.write(`${isMissed ? 'MISS' : 'ok  '}  ${what.padEnd(30)} ${figures}\n`);
}
