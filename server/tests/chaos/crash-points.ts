import { once } from 'node:events';
import type { Batch } from '@rowmill/contract';
import { signInDemo, startBatch } from '../../harness/api-client.ts';
import {
  type Child,
  callsAt,
  databaseOf,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import type { DatabaseConfig } from '../../src/config/config.ts';
import type { FaultPoint } from '../../src/config/fault-point.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { broken, inTime, readTotals } from './totals.ts';

/** What the database holds after crashes, and what the provider's own log says about calls. */
export interface CrashReport {
  answered: number;
  failed: number;
  charged: number;
  spent: number;
  repeatedCalls: number;
  mostCallsOfARow: number;
  problems: string[];
  brokenInvariants: string[];
}

export interface PoisonReport extends CrashReport {
  /** The last start that died before the process had named its address. */
  lastFailedStart: number;
}

export const concurrency = 16;
const quiet = { LOG_LEVEL: 'silent', CHAT_CONCURRENCY: `${concurrency}` };
/**
 * The process dies the n-th time it passes a point. There are two slices, many calls, and at least
 * two transactions: the first stores few answers.
 */
const passes = {
  'reading-slice': 100,
  'after-lease': 2,
  'before-call': 37,
  'after-reply': 37,
  'during-flush': 2,
  'before-commit': 2,
  'after-commit': 2,
};
/** A poisoned row needs about five. Twice as many would mean it is never failed. */
const crashesAtMost = 10;

/**
 * One batch whose process kills itself at each of these points in the life of a row, one after the
 * other. The last process has no such point.
 */
export async function crashAtEach(
  points: readonly FaultPoint[],
  rows: number,
): Promise<CrashReport> {
  await using chat = await startFakeChatProcess('--latency', '20');
  const env = { ...quiet, CHAT_BASE_URL: chat.url };
  const directory = await prepareData();
  for (const [crashes, point] of points.entries()) {
    const faulty = { ...env, FAULT_POINT: `${point}:${passes[point]}` };
    const server = await startProduct(faulty, directory, { keeps: true });
    const killed = whenKilled(server);
    if (crashes === 0) {
      const client = await signInDemo(server.url);
      // The answer to the start may be lost with the process.
      await startBatch(client, rows).catch(() => {});
    }
    await inTime(`the crash ${point}`, killed);
  }
  // Awaited here, because leaving this function stops the provider.
  return await finish({ env, directory, chat: chat.url });
}

/** The process dies whenever one certain row is about to be sent, or is read. */
export async function poisonedRow({
  rows,
  fault = 'poison',
  databaseUrl,
}: {
  rows: number;
  fault?: 'poison' | 'unreadable';
  /** Without it the embedded database is used. */
  databaseUrl?: string;
}): Promise<PoisonReport> {
  await using chat = await startFakeChatProcess('--latency', '20');
  const postgres: Record<string, string> = databaseUrl
    ? { DATABASE_URL: databaseUrl, DEMO: 'off', NODE_ENV: 'test' }
    : {};
  const directory = await prepareData(postgres);
  const env = { ...quiet, ...postgres, CHAT_BASE_URL: chat.url };
  const faulty = { ...env, FAULT_POINT: `${fault}:row ${rows / 2}` };
  let lastFailedStart = 0;
  let id = '';
  for (let crashes = 0; crashes < crashesAtMost; crashes++) {
    const start = startProduct(faulty, directory, { keeps: true });
    // A process that finds the batch running may die before it has named its address.
    await using server = await (id === '' ? start : start.catch(() => null));
    if (!server) {
      lastFailedStart = crashes + 1;
      continue;
    }
    const killed = whenKilled(server).then(() => null);
    const client = await signInDemo(server.url).catch(() => null);
    // The answer to the start may be lost with the process.
    if (client && id === '')
      id = await startBatch(client, rows).catch(() =>
        killed.then(() => findBatch(databaseOf(databaseUrl, directory))),
      );
    const ended = client?.whenEnded(id, 50).catch(() => killed) ?? killed;
    const next = Promise.race([killed, ended]);
    const batch = await inTime('the end of the batch or of the process', next);
    if (!batch) continue;
    await server[Symbol.asyncDispose]();
    // Awaited here, because leaving this function stops the provider.
    return { ...(await count(batch, { env, directory, chat: chat.url })), lastFailedStart };
  }
  throw new Error(`The batch has not ended after ${crashesAtMost} crashes.`);
}

/** The promises of docs/failure.md about such a row that a report breaks. */
export function missesOfPoisonedRow(
  rows: number,
  { answered, failed, charged, spent, problems, ...report }: PoisonReport,
): string[] {
  const [problem = ''] = problems;
  return broken({
    'every other row is answered': answered === rows - 1 && failed === 1,
    'each answered row is charged once': charged === answered && spent === charged,
    'the row says that it crashed the server': problem.includes('crashed 3 times on this row'),
    // While the suspected rows wait for a calm time.
    'the fourth start serves': report.lastFailedStart <= 3,
    'all ledger checks pass': report.brokenInvariants.length === 0,
  });
}

async function whenKilled({ process: child }: Child): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const { signalCode: signal } = child;
  if (signal !== 'SIGKILL')
    throw new Error(`The product ended by ${signal}, but a fault point should have killed it.`);
}

interface Aftermath {
  env: Record<string, string>;
  directory: string;
  chat: string;
}

/** Starts another process, waits for the end of the batch and counts everything. */
async function finish({ env, directory, chat }: Aftermath): Promise<CrashReport> {
  const server = await startProduct(env, directory, { keeps: true });
  const client = await signInDemo(server.url);
  const { files } = await client.call('getProcessedFiles', { start: 0, limit: 1 });
  const [{ id } = { id: '' }] = files;
  const batch = await inTime('the end of the batch', client.whenEnded(id, 50));
  await server[Symbol.asyncDispose]();
  return count(batch, { env, directory, chat });
}

async function count(
  { answered, failed, charged }: Batch,
  { env, directory, chat }: Aftermath,
): Promise<CrashReport> {
  const prompts = (await callsAt(chat)).map(({ prompt }) => prompt);
  const callsOfRows = [...Map.groupBy(prompts, (prompt) => prompt).values()];
  const database = databaseOf(env.DATABASE_URL, directory);
  const { spent, problems, brokenInvariants } = await readTotals(database);
  return {
    answered,
    failed,
    charged,
    spent,
    repeatedCalls: prompts.length - callsOfRows.length,
    mostCallsOfARow: Math.max(...callsOfRows.map(({ length }) => length)),
    problems,
    brokenInvariants,
  };
}

async function findBatch(config: DatabaseConfig): Promise<string> {
  await using database = await openDatabase(config);
  return (await database.db.selectFrom('batches').select('id').executeTakeFirstOrThrow()).id;
}
