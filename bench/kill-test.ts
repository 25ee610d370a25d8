import { openDatabase } from '../server/src/db/connect.ts';
import { findBrokenInvariants } from '../server/src/db/invariants.ts';
import { Caller, prepareData, startFakeChatProcess, startProduct } from './product.ts';

interface Options {
  rows: number;
  kills: number;
  concurrency: number;
  latencyMilliseconds: number;
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
}

/** What may be asked twice for a kill: the calls in flight, and the answers that were not stored yet. */
const settlerBuffer = 50;

/** Kills the server over and over while a batch runs, and then counts: rows, charges, and what the provider has seen. */
export async function killTest({
  rows,
  kills,
  concurrency,
  latencyMilliseconds,
  lifeMilliseconds,
  say,
}: Options): Promise<KillReport> {
  await using chat = await startFakeChatProcess('--latency', `${latencyMilliseconds}`);
  const directory = await prepareData(rows);
  const env = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: `${concurrency}`, LOG_LEVEL: 'silent' };
  let id = '';
  for (let kill = 1; kill <= kills; kill++) {
    const server = await startProduct(env, directory, { keeps: true });
    if (id === '') id = await startBatch(server.url, rows);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * lifeMilliseconds));
    const killed = new Promise((resolve) => server.process.once('exit', resolve));
    server.process.kill('SIGKILL');
    await killed;
    say(`kill ${kill} of ${kills}`);
  }
  const ended = await finish(env, directory, id);
  const prompts = await promptsSeen(chat.url);
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
  };
}

async function startBatch(url: string, rows: number): Promise<string> {
  const caller = new Caller(url);
  await caller.signIn('client@demo.test');
  const lines = Array.from({ length: rows }, (_, index) => `row ${index}`);
  const file = await caller.upload(new Blob([`Row\n${lines.join('\n')}\n`]));
  const { batch } = await caller.call('askChatGpt', { questionWithVariable: 'Say {{Row}}', query: { file, start: true } });
  return batch?.id ?? '';
}

async function finish(env: Record<string, string>, directory: string, id: string) {
  await using server = await startProduct(env, directory, { keeps: true });
  const caller = new Caller(server.url);
  await caller.signIn('client@demo.test');
  // Awaited here, or the server would end before.
  return await caller.whenEnded(id, 100);
}

async function promptsSeen(url: string): Promise<string[]> {
  const calls = (await (await fetch(new URL('/log', url))).json()) as { prompt: string }[];
  return calls.map(({ prompt }) => prompt);
}

async function readBooks(directory: string): Promise<{ spent: number; brokenInvariants: string[] }> {
  await using database = await openDatabase({ kind: 'embedded', directory });
  const accounts = await database.db.selectFrom('credit_accounts').select('spent').execute();
  const broken = await findBrokenInvariants(database.db);
  return {
    spent: accounts.reduce((sum, { spent }) => sum + spent, 0),
    brokenInvariants: broken.map(({ invariant }) => invariant),
  };
}

export function describeKills(report: KillReport): string {
  const lost = report.rows - report.answered - report.failed;
  return [
    `${report.kills} kills during ${report.rows} rows`,
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
    latencyMilliseconds: 25,
    lifeMilliseconds: 1_500,
    say,
  });
  process.stdout.write(`${describeKills(report)}\n`);
}
