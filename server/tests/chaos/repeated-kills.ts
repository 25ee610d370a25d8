import {
  behave,
  callsAt,
  clientAt,
  kill9,
  prepareData,
  startBatch,
  startFakeChatProcess,
  startProduct,
} from '../../harness/product-process.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { findBrokenInvariants } from '../../src/db/invariants.ts';

interface Options {
  rows: number;
  kills: number;
  concurrency: number;
  /** The longest that a killed server has run. */
  lifeMilliseconds: number;
  say: (line: string) => void;
}

export interface KillReport {
  rows: number;
  kills: number;
  answered: number;
  failed: number;
  charged: number;
  spent: number;
  calls: number;
  repeatedCalls: number;
  repeatedAtMost: number;
  brokenInvariants: string[];
  /** Rows without a result when the last kill came: a batch that had ended by then would have been spared. */
  leftAtLastKill: number;
}

/** What may be asked twice for a kill: the calls in flight, and the answers that were not stored yet. */
const settlerBuffer = 50;

/** Kills the server over and over while a batch runs, and then counts: rows, charges, and what the provider has seen. */
export async function killTest({
  rows,
  kills,
  concurrency,
  lifeMilliseconds,
  say,
}: Options): Promise<KillReport> {
  const latency = slowEnough({ rows, kills, concurrency, lifeMilliseconds });
  await using chat = await startFakeChatProcess('--latency', `${latency}`);
  const directory = await prepareData(rows);
  const env = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: `${concurrency}`, LOG_LEVEL: 'silent' };
  let id = '';
  for (let kill = 1; kill <= kills; kill++) {
    const server = await startProduct(env, directory, { keeps: true });
    if (id === '') id = await startBatch(await clientAt(server.url), rows);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * lifeMilliseconds));
    await kill9(server);
    say(`kill ${kill} of ${kills}`);
  }
  const { left } = await readBooks(directory);
  await behave(chat.url, { latency: 0 });
  const ended = await finish(env, directory, id);
  const prompts = (await callsAt(chat.url)).map(({ prompt }) => prompt);
  const { spent, brokenInvariants } = await readBooks(directory);
  return {
    rows,
    kills,
    answered: ended.answered,
    failed: ended.failed,
    charged: ended.charged,
    spent,
    calls: prompts.length,
    repeatedCalls: prompts.length - new Set(prompts).size,
    repeatedAtMost: kills * (concurrency + settlerBuffer),
    brokenInvariants,
    leftAtLastKill: left,
  };
}

/** Answers come so slowly that the batch still runs at the last kill, however long every server takes to start, and lives. */
function slowEnough({ rows, kills, concurrency, lifeMilliseconds }: Omit<Options, 'say'>): number {
  return Math.ceil((2 * concurrency * kills * lifeMilliseconds) / rows);
}

async function finish(env: Record<string, string>, directory: string, id: string) {
  await using server = await startProduct(env, directory, { keeps: true });
  // Awaited here, or the server would end before.
  return await (await clientAt(server.url)).whenEnded(id, 100);
}

export async function readBooks(
  directory: string,
): Promise<{ spent: number; left: number; brokenInvariants: string[] }> {
  await using database = await openDatabase({ kind: 'embedded', directory });
  const accounts = await database.db.selectFrom('credit_accounts').select('spent').execute();
  const broken = await findBrokenInvariants(database.db);
  const batches = await database.db
    .selectFrom('batches')
    .select(['rows', 'answered', 'failed'])
    .execute();
  return {
    left: batches.reduce((sum, { rows, answered, failed }) => sum + rows - answered - failed, 0),
    spent: accounts.reduce((sum, { spent }) => sum + spent, 0),
    brokenInvariants: broken.map(({ invariant }) => invariant),
  };
}

export function describeKills(report: KillReport): string {
  const lost = report.rows - report.answered - report.failed;
  return [
    `${report.kills} kills during ${report.rows} rows, of which ${report.leftAtLastKill} were left at the last kill`,
    `  rows lost ${lost}, answered ${report.answered}, failed ${report.failed}`,
    `  charged ${report.charged}, spent in the ledger ${report.spent}`,
    `  calls at the provider ${report.calls}, repeated ${report.repeatedCalls} (at most ${report.repeatedAtMost})`,
    `  broken invariants: ${report.brokenInvariants.join('; ') || 'none'}`,
  ].join('\n');
}

if (import.meta.main) {
  const [rows = '20000', kills = '50'] = process.argv.slice(2);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const report = await killTest({
    rows: Number(rows),
    kills: Number(kills),
    concurrency: 16,
    lifeMilliseconds: 1_500,
    say,
  });
  process.stdout.write(`${describeKills(report)}\n`);
}
