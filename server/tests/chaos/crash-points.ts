import { once } from 'node:events';
import {
  type Child,
  callsAt,
  clientAt,
  prepareData,
  startBatch,
  startFakeChatProcess,
  startProduct,
} from '../../harness/product-process.ts';
import type { DatabaseConfig } from '../../src/config/config.ts';
import { type FaultPoint, faultPoints } from '../../src/config/fault-point.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { findBrokenInvariants } from '../../src/db/invariants.ts';

/** What the books say after the deaths of a process, and what the provider has seen: its log is the truth about calls. */
export interface DeathReport {
  deaths: number;
  rows: number;
  answered: number;
  failed: number;
  charged: number;
  spent: number;
  repeatedCalls: number;
  /** The most calls that one row got. */
  callsOfARow: number;
  problems: string[];
  brokenInvariants: string[];
}

const quiet = { LOG_LEVEL: 'silent', CHAT_CONCURRENCY: '16' };
/** How often each point is passed before the process dies there: slices are few, calls many. */
const passes = {
  'after-claim': 2,
  'before-call': 37,
  'after-reply': 37,
  'during-flush': 4,
  'before-commit': 4,
  'after-commit': 4,
};

/** Five are expected of a row that kills; whoever dies twice as often does not die of it. */
const deathsAtMost = 10;

interface Deaths {
  rows: number;
  points?: readonly FaultPoint[];
}

/** A6: the process kills itself at each point of a row's road, and the next one goes on. */
export async function deathsAtPoints({
  rows,
  points = faultPoints,
}: Deaths): Promise<Record<string, DeathReport>> {
  await using chat = await startFakeChatProcess('--latency', '20');
  const reports: Record<string, DeathReport> = {};
  for (const point of points) {
    const directory = await prepareData(rows);
    const env = { ...quiet, CHAT_BASE_URL: chat.url };
    const seen = (await callsAt(chat.url)).length;
    const server = await startProduct(
      { ...env, FAULT_POINT: `${point}:${passes[point]}` },
      directory,
      { keeps: true },
    );
    const dead = whenKilled(server);
    // The answer to the start may be lost with the process.
    const client = await clientAt(server.url);
    await startBatch(client, rows).catch(() => {});
    await dead;
    reports[point] = await finish({ env, directory, chat: chat.url, seen, deaths: 1 });
  }
  return reports;
}

/** D9: the process dies whenever a certain row is about to be sent. On the embedded database, or on this PostgreSQL. */
export async function poisonedRow({
  rows,
  databaseUrl,
}: {
  rows: number;
  databaseUrl?: string;
}): Promise<DeathReport> {
  await using chat = await startFakeChatProcess('--latency', '20');
  const postgres: Record<string, string> = databaseUrl
    ? { DATABASE_URL: databaseUrl, DEMO: 'off', NODE_ENV: 'test' }
    : {};
  const directory = await prepareData(rows, postgres);
  const env = { ...quiet, ...postgres, CHAT_BASE_URL: chat.url };
  let deaths = 0;
  let id = '';
  for (let isDead = true; isDead && deaths < deathsAtMost; deaths += isDead ? 1 : 0) {
    const start = startProduct({ ...env, FAULT_POINT: `poison:row ${rows / 2}` }, directory, {
      keeps: true,
    });
    // A process that finds the batch running may die of the row before it has said where it answers.
    await using server = await (id === '' ? start : start.catch(() => null));
    const dead = server ? whenKilled(server).then(() => true) : Promise.resolve(true);
    const client = server && (await clientAt(server.url).catch(() => null));
    // The answer to the start may be lost with the process.
    if (client && id === '')
      id = await startBatch(client, rows).catch(() =>
        dead.then(() => findBatch(booksOf(env, directory))),
      );
    const ended = client ? client.whenEnded(id, 50) : dead;
    isDead = await Promise.race([
      dead,
      ended.then(
        () => false,
        () => dead,
      ),
    ]);
  }
  // Awaited, for the provider leaves with this function.
  return await finish({ env, directory, chat: chat.url, seen: 0, deaths });
}

async function whenKilled({ process: child }: Child): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const { signalCode: signal } = child;
  if (signal !== 'SIGKILL')
    throw new Error(`The product ended by ${signal}, where a fault point should have killed it.`);
}

interface Scene {
  env: Record<string, string>;
  directory: string;
  chat: string;
  /** Calls that the provider had seen before. */
  seen: number;
  deaths: number;
}

/** Another process goes on to the end of the batch; then everything is counted. */
async function finish({ env, directory, chat, seen, deaths }: Scene): Promise<DeathReport> {
  const books = booksOf(env, directory);
  const id = await findBatch(books);
  const server = await startProduct(env, directory, { keeps: true });
  const { rows, answered, failed, charged } = await (await clientAt(server.url)).whenEnded(id, 50);
  await server[Symbol.asyncDispose]();
  const prompts = (await callsAt(chat)).slice(seen).map(({ prompt }) => prompt);
  const callsOfRows = [...Map.groupBy(prompts, (prompt) => prompt).values()].map(
    ({ length }) => length,
  );
  await using database = await openDatabase(books);
  const accounts = await database.db.selectFrom('credit_accounts').select('spent').execute();
  const problems = await database.db
    .selectFrom('results')
    .select('problem')
    .where('state', '=', 'failed')
    .execute();
  return {
    deaths,
    rows,
    answered,
    failed,
    charged,
    spent: accounts.reduce((sum, account) => sum + account.spent, 0),
    repeatedCalls: prompts.length - callsOfRows.length,
    callsOfARow: Math.max(...callsOfRows),
    problems: problems.map(({ problem }) => problem ?? ''),
    brokenInvariants: (await findBrokenInvariants(database.db)).map(({ invariant }) => invariant),
  };
}

function booksOf({ DATABASE_URL: url }: Record<string, string>, directory: string): DatabaseConfig {
  return url ? { kind: 'postgres', url } : { kind: 'embedded', directory };
}

async function findBatch(books: DatabaseConfig): Promise<string> {
  await using database = await openDatabase(books);
  return (await database.db.selectFrom('batches').select('id').executeTakeFirstOrThrow()).id;
}

export function describeDeaths(report: DeathReport): string {
  const {
    deaths,
    rows,
    answered,
    failed,
    charged,
    spent,
    repeatedCalls,
    callsOfARow,
    brokenInvariants,
  } = report;
  return (
    `${deaths} deaths, ${rows} rows: lost ${rows - answered - failed}, answered ${answered}, failed ${failed}, charged ${charged}, ` +
    `spent ${spent}; calls repeated ${repeatedCalls}, of one row at most ${callsOfARow}; broken invariants ${brokenInvariants.length}`
  );
}

export function describePoison(report: DeathReport): string {
  return `${describeDeaths(report)}; “${report.problems.join('”, “')}”`;
}
