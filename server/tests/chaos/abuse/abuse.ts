import { type ApiClient, sheetOf, signInDemo, startBatch } from '../../../harness/api-client.ts';
import { millisecondsOf, percentile95 } from '../../../harness/figures.ts';
import { startOwnPostgres } from '../../../harness/own-postgres.ts';
import {
  type Child,
  databaseOf,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../../harness/processes.ts';
import { chosen, pass, readTotals } from '../totals.ts';
import { type AttackResult, startAttack } from './attack-thread.ts';
import { type Attack, attacks, type Target } from './attacks.ts';

/** Of the calls of another client. */
const p95AtMostMilliseconds = 300;
/** Until a small sheet that they upload is imported. */
const importAtMostMilliseconds = 5_000;
/** How much longer their small batch may take than alone. */
const batchRatioAtMost = 2;
const slowCalls = 'calls of the other client are slow';
const slowBatch = 'the small batch is slow';
const slowImport = 'the import of a small sheet is slow';
const slowAnswers = 'calls of the attacker itself wait too long';
const busyMachine = 'the machine is too busy to tell';
/** Bounds in real time. Only the command enforces them: a busy machine would fail a test. */
export const boundsInTime: readonly string[] = [
  slowCalls,
  slowBatch,
  slowImport,
  slowAnswers,
  busyMachine,
];
/**
 * Each is compared with the same time without the attack. One miss may be caused by other work, two
 * are not.
 */
const usualAttempts = 6;
const missesToFail = 2;
const passesAfterMiss = 2;
/** Of calls and batch without an attack: a miss beside a slower time says nothing. */
const quiet = { p95: p95AtMostMilliseconds / 4, batchRatio: 1.3 };
const smallBatchRows = 10;
/** About the time of a real model. A faster one would show how busy this one process is. */
const providerMilliseconds = 1_000;
const concurrency = 64;
const neighbour = 'bakery';

interface Stage extends Target {
  processes: readonly Child[];
  victim: ApiClient;
  victimSheetId: string;
}

interface Measured extends Omit<AttackResult, 'calls'> {
  p95: number;
  batchMilliseconds: number;
  importMilliseconds: number;
}

export interface AbuseReport extends Measured {
  attack: string;
  /** The batch just before, without the attack. */
  alone?: number;
  problems: string[];
}

interface Options {
  isShort: boolean;
  isPostgres: boolean;
  /** Names of attacks; empty for all. */
  only?: readonly string[];
  /** One is enough where bounds in real time do not count. */
  attempts?: number;
}

/** Attacks by one client, each alone and then all at once, beside another with small work. */
export async function abuse({
  isShort,
  isPostgres,
  only = [],
  attempts = usualAttempts,
}: Options): Promise<AbuseReport[]> {
  const wanted = chosen(isShort ? attacks.slice(-1) : attacks, only);
  await using stack = new AsyncDisposableStack();
  const { stage, database, stop } = await open(stack, isPostgres);
  const alone = await measure(stage, null);
  const reports: AbuseReport[] = [{ ...alone, attack: 'none', problems: [] }];
  process.stdout.write(
    `${isPostgres ? 'PostgreSQL' : 'embedded'}\n${describeAbuse(reports[0] as AbuseReport)}\n`,
  );
  for (const attack of wanted) {
    reports.push(await judge(stage, attack, alone.batchMilliseconds, attempts));
    process.stdout.write(`${describeAbuse(reports.at(-1) as AbuseReport)}\n`);
  }
  await stop();
  const { brokenInvariants } = await readTotals(database);
  if (brokenInvariants.length > 0)
    reports.at(-1)?.problems.push(`ledger checks failed: ${brokenInvariants.join(', ')}`);
  return reports;
}

async function open(stack: AsyncDisposableStack, isPostgres: boolean) {
  const chat = stack.use(await startFakeChatProcess('--latency', `${providerMilliseconds}`));
  const env: Record<string, string> = {
    LOG_LEVEL: 'silent',
    CHAT_BASE_URL: chat.url,
    CHAT_CONCURRENCY: `${concurrency}`,
  };
  const postgres = isPostgres ? stack.use(await startOwnPostgres()) : null;
  if (postgres) Object.assign(env, { DATABASE_URL: postgres.url, DEMO: 'off', NODE_ENV: 'test' });
  const directory = await prepareData(env);
  const start = async (roles: Record<string, string>) =>
    stack.use(await startProduct({ ...env, ...roles }, directory, { keeps: true }));
  const api = await start(postgres ? { SERVE: 'site,auth,plan,main' } : {});
  const processes = postgres ? [api, await start({ SERVE: 'worker' })] : [api];
  const attacker = await signInDemo(api.url);
  const victim = await signInDemo(api.url, neighbour);
  await giveCredits(api.url);
  const batchId = await startBatch(attacker, 2_000);
  await attacker.whenEnded(batchId, 100);
  const sheetId = await attacker.upload(sheetOf(100));
  const bombSheetId = await attacker.upload(
    new Blob([`a\n${`${'x'.repeat(20_000)}\n`.repeat(60)}`]),
  );
  const tallSheetId = await attacker.upload(
    new Blob([`a\n${`${'x'.repeat(30)}\n`.repeat(200_000)}`]),
  );
  const victimSheetId = await victim.upload(sheetOf(smallBatchRows));
  const mine = { batchId, sheetId, bombSheetId, tallSheetId, victimSheetId };
  const stage: Stage = { url: api.url, processes, attacker, victim, ...mine, calls: 0 };
  const database = databaseOf(postgres?.url, directory);
  const stop = async () => {
    for (const child of processes) await child[Symbol.asyncDispose]();
  };
  return { stage, database, stop };
}

/** For the small batches of all rounds. */
async function giveCredits(url: string): Promise<void> {
  const admin = await signInDemo(url, 'admin');
  const { users } = await admin.call('userList', { start: 0, limit: 20, search: neighbour });
  await admin.call('updateCreditCount', {
    user_id: users[0]?.id ?? '',
    change: 4_000,
    reason: 'small batches',
  });
}

/** Measures without and with the attack in turns until the verdict is sure. */
async function judge(
  stage: Stage,
  attack: Attack,
  fastestBatch: number,
  attempts: number,
): Promise<AbuseReport> {
  let [misses, passes] = [0, 0];
  let last: AbuseReport | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    await calmDown(stage);
    const alone = await measure(stage, null);
    const measured = await measure(stage, attack);
    const problems = problemsOf(measured, alone, stage);
    if (measured.slowest > (attack.answeredWithinMilliseconds ?? Number.POSITIVE_INFINITY))
      problems.push(slowAnswers);
    last = { attack: attack.name, ...measured, alone: alone.batchMilliseconds, problems };
    if (problems.some((problem) => !boundsInTime.includes(problem))) return last;
    if (problems.length === 0) {
      passes++;
      if (misses === 0 || passes === passesAfterMiss) return last;
      continue;
    }
    process.stdout.write(`${describeAbuse(last)}; p95 alone ${Math.round(alone.p95)} ms\n`);
    if (alone.p95 <= quiet.p95 && alone.batchMilliseconds <= quiet.batchRatio * fastestBatch)
      misses++;
    if (misses === missesToFail) return last;
  }
  return { ...(last as AbuseReport), problems: [busyMachine] };
}

/** Ends what the attack before has left running. */
async function calmDown({ attacker }: Stage): Promise<void> {
  for (;;) {
    const { files } = await attacker.call('getProcessedFiles', { state: 'running', limit: 100 });
    if (files.length === 0) return;
    // It may have made as many calls as it is allowed.
    for (const { id } of files)
      while ((await attacker.status('stopFileProcessing', { id })) === 429) await pass(1_000);
    for (const { id } of files) await attacker.whenEnded(id, 100);
  }
}

/** Two small batches, fifty calls and an upload of the other client. */
async function measure(stage: Stage, attack: Attack | null): Promise<Measured> {
  const attacking = attack && startAttack(attack.name, stage);
  // The attack starts before anything is measured.
  if (attack) await pass(1_000);
  const times: number[] = [];
  let batchMilliseconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 2; round++) {
    for (let call = 0; call < 25; call++) {
      times.push(await millisecondsOf(() => stage.victim.call('getAvailableCredits', {})));
      await pass(20);
    }
    const took = await millisecondsOf(() => runSmallBatch(stage));
    batchMilliseconds = Math.min(batchMilliseconds, took);
  }
  const importMilliseconds = await importSmallSheet(stage);
  const result = (await attacking?.end()) ?? { calls: stage.calls, slowest: 0, statuses: {} };
  const { calls, slowest, statuses } = result;
  stage.calls = calls;
  return { p95: percentile95(times), batchMilliseconds, importMilliseconds, slowest, statuses };
}

/** The answer to an upload is sent when the sheet is imported. */
async function importSmallSheet({ victim }: Stage): Promise<number> {
  for (;;) {
    const started = performance.now();
    const { status } = await victim.send(sheetOf(smallBatchRows));
    if (status === 200) return performance.now() - started;
    // Ten a minute are allowed.
    if (status !== 429) throw new Error(`The upload of the other client got ${status}.`);
    await pass(1_000);
  }
}

async function runSmallBatch(stage: Stage): Promise<void> {
  const { victim, victimSheetId } = stage;
  const prompt = `Say {{Row}} after ${stage.calls++} calls`;
  await victim.whenEnded(await victim.start(victimSheetId, prompt), 10);
}

function problemsOf(measured: Measured, alone: Measured, { processes }: Stage): string[] {
  const hasEnded = processes.some(
    ({ process: { exitCode, signalCode } }) => exitCode !== null || signalCode,
  );
  return [
    ...(hasEnded ? ['a process ended'] : []),
    ...(measured.p95 > p95AtMostMilliseconds ? [slowCalls] : []),
    ...(measured.batchMilliseconds > batchRatioAtMost * alone.batchMilliseconds ? [slowBatch] : []),
    ...(measured.importMilliseconds > importAtMostMilliseconds ? [slowImport] : []),
    ...((measured.statuses[500] ?? 0) > 0 ? ['the API answered 500'] : []),
  ];
}

export const isAbuseMissed = ({ problems }: AbuseReport) => problems.length > 0;

export function describeAbuse(report: AbuseReport): string {
  const { attack, p95, batchMilliseconds, alone, importMilliseconds, slowest, statuses } = report;
  const { problems } = report;
  const answers = Object.entries(statuses).map(([status, times]) => `${status}: ${times}`);
  return [
    problems.length === 0 ? 'ok  ' : 'MISS',
    attack.padEnd(30),
    `p95 ${Math.round(p95)} ms`,
    `small batch ${Math.round(batchMilliseconds)} ms${alone ? ` (${(batchMilliseconds / alone).toFixed(1)})` : ''}`,
    `import ${Math.round(importMilliseconds)} ms`,
    `attacker ${answers.join(', ') || '-'}${answers.length > 0 ? `, slowest ${Math.round(slowest)} ms` : ''}`,
    problems.join('; '),
  ].join('  ');
}
