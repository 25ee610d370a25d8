import { connect, type Socket } from 'node:net';
import { endpoints } from '@rowmill/contract';
import { ApiClient, sheetOf, startBatch } from '../../harness/api-client.ts';
import { startOwnPostgres } from '../../harness/own-postgres.ts';
import {
  type Child,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import type { DatabaseConfig } from '../../src/config/config.ts';
import { pass, readTotals } from './totals.ts';

/** Of the calls of another customer. */
const p95AtMostMilliseconds = 300;
/** How much longer their small batch may take than alone. */
const batchRatioAtMost = 2;
const slowCalls = 'calls of the other customer are slow';
const slowBatch = 'the small batch is slow';
/** Bounds in real time, which the command enforces and the test does not: a busy machine would fail it. */
export const boundsInTime: readonly string[] = [slowCalls, slowBatch];
const smallBatchRows = 10;
/** About the time of a real model. */
const providerMilliseconds = 1_000;
const concurrency = 64;
const abuser = 'client@demo.test';
const neighbour = 'bakery@demo.test';

export interface AbuseReport {
  attack: string;
  p95: number;
  batchMilliseconds: number;
  /** What the attacker was answered, by status; 0 is a broken connection. */
  statuses: Record<number, number>;
  problems: string[];
}

interface Stage {
  url: string;
  processes: readonly Child[];
  attacker: ApiClient;
  victim: ApiClient;
  /** A batch and a sheet of the attacker. */
  batchId: string;
  sheetId: string;
  victimSheetId: string;
  /** Of the attacker so far. */
  calls: number;
}

/** One step of an attack, repeated by several callers at once until the measurement ends. */
interface Attack {
  name: string;
  callers: number;
  step(stage: Stage, caller: number): Promise<number>;
}

const ask = ({ attacker, sheetId }: Stage, question: string, start = false) =>
  attacker.status('askChatGpt', {
    questionWithVariable: question,
    query: { file: sheetId, start },
  });

const attacks: readonly Attack[] = [
  { name: 'prompt bombs', callers: 4, step: (stage) => ask(stage, '{{Row}} '.repeat(1_000)) },
  { name: 'runs of braces', callers: 4, step: (stage) => ask(stage, '{{'.repeat(4_000)) },
  {
    name: 'hostile texts of the provider',
    callers: 2,
    step: (stage) => {
      const faults = ['huge', 'nul', 'badutf8', 'surrogate', 'html', 'truncated'];
      const fault = faults[stage.calls % faults.length];
      return ask(stage, `[[${fault}]] {{Row}} ${stage.calls}`, true);
    },
  },
  { name: 'uploads held open', callers: 40, step: holdUpload },
  { name: 'event streams', callers: 60, step: holdStream },
  {
    name: 'downloads',
    callers: 20,
    step: async ({ attacker, batchId }) =>
      readAll(await attacker.download(batchId, 'xlsx').catch(() => null)),
  },
  {
    name: 'searches',
    callers: 20,
    step: ({ attacker }) =>
      attacker.status('getQuestionsAsked', { search: '%_a'.repeat(20), start: 0, limit: 100 }),
  },
  {
    name: 'searched and sorted rows',
    callers: 200,
    step: ({ attacker, batchId, calls }) =>
      attacker.status('getRows', {
        id: batchId,
        // Never the same, so that nothing is remembered.
        conditions: Array.from({ length: 8 }, (_, index) => ({
          column: 'answer 0',
          is: 'contains',
          value: `${'%_a'.repeat(20)} ${calls} ${index}`,
        })),
        sort: { column: 'sheet 0', order: 'descending' },
        count: 'answer 0',
      }),
  },
  {
    name: 'judgements',
    callers: 200,
    step: ({ attacker, batchId, calls }) =>
      attacker.status('judgeAnswers', {
        id: batchId,
        rows: Array.from({ length: 1_000 }, (_, row) => row),
        note: `${calls} `.repeat(80),
      }),
  },
  {
    name: 'large variables',
    callers: 200,
    step: ({ attacker, calls }) =>
      attacker.status('saveVariable', {
        variable: { name: 'v', value: `${calls} `.repeat(3_000) },
      }),
  },
  { name: 'exports', callers: 5, step: ({ attacker }) => attacker.status('exportUserData', {}) },
  {
    name: 'sign-in floods',
    callers: 20,
    step: ({ attacker, calls }) =>
      attacker.status('login', { email: `guess-${calls}@example.test`, password: 'not it at all' }),
  },
];

interface Options {
  isShort: boolean;
  isPostgres: boolean;
  /** Names of attacks; empty for all. */
  only?: readonly string[];
}

/** Attacks by one customer, first each alone and then all at once, beside another customer with small work. */
export async function abuse({ isShort, isPostgres, only = [] }: Options): Promise<AbuseReport[]> {
  await using stack = new AsyncDisposableStack();
  const { stage, database, stop } = await open(
    stack,
    isPostgres,
    isShort ? 50 : providerMilliseconds,
  );
  const alone = await measure(stage, null);
  const reports: AbuseReport[] = [{ ...alone, attack: 'none', problems: [] }];
  process.stdout.write(
    `${isPostgres ? 'PostgreSQL' : 'embedded'}\n${describeAbuse(reports[0] as AbuseReport)}\n`,
  );
  const all: Attack = { name: 'all at once', callers: 30, step: mixed };
  const isWanted = ({ name }: Attack) => only.length === 0 || only.includes(name);
  for (const attack of (isShort ? [all] : [...attacks, all]).filter(isWanted)) {
    const measured = await measure(stage, attack);
    reports.push({
      attack: attack.name,
      ...measured,
      problems: problemsOf(measured, alone, stage),
    });
    process.stdout.write(`${describeAbuse(reports.at(-1) as AbuseReport)}\n`);
  }
  await stop();
  const { brokenInvariants } = await readTotals(database);
  if (brokenInvariants.length > 0)
    reports.at(-1)?.problems.push(`ledger checks failed: ${brokenInvariants.join(', ')}`);
  return reports;
}

async function open(stack: AsyncDisposableStack, isPostgres: boolean, latency: number) {
  const chat = stack.use(await startFakeChatProcess('--latency', `${latency}`));
  const env: Record<string, string> = {
    LOG_LEVEL: 'silent',
    CHAT_BASE_URL: chat.url,
    CHAT_CONCURRENCY: `${concurrency}`,
  };
  const postgres = isPostgres ? stack.use(await startOwnPostgres()) : null;
  if (postgres) Object.assign(env, { DATABASE_URL: postgres.url, DEMO: 'off', NODE_ENV: 'test' });
  const directory = await prepareData(100_000, env);
  const start = async (roles: Record<string, string>) =>
    stack.use(await startProduct({ ...env, ...roles }, directory, { keeps: true }));
  const api = await start(postgres ? { SERVE: 'site,auth,plan,main' } : {});
  const processes = postgres ? [api, await start({ SERVE: 'worker' })] : [api];
  const attacker = new ApiClient(api.url);
  await attacker.signIn(abuser);
  const victim = new ApiClient(api.url);
  await victim.signIn(neighbour);
  const batchId = await startBatch(attacker, 2_000);
  await attacker.whenEnded(batchId, 100);
  const sheetId = await attacker.upload(sheetOf(100));
  const victimSheetId = await victim.upload(sheetOf(smallBatchRows));
  const mine = { batchId, sheetId, victimSheetId };
  const stage: Stage = { url: api.url, processes, attacker, victim, ...mine, calls: 0 };
  const database: DatabaseConfig = postgres
    ? { kind: 'postgres', url: postgres.url }
    : { kind: 'embedded', directory };
  const stop = async () => {
    for (const child of processes) await child[Symbol.asyncDispose]();
  };
  return { stage, database, stop };
}

type Measured = Pick<AbuseReport, 'p95' | 'batchMilliseconds' | 'statuses'>;

/** Two small batches and fifty calls of the other customer. */
async function measure(stage: Stage, attack: Attack | null): Promise<Measured> {
  const statuses: Record<number, number> = {};
  let isOver = false;
  const attacking = Array.from({ length: attack?.callers ?? 0 }, async (_, caller) => {
    while (!isOver) {
      stage.calls++;
      const status = (await attack?.step(stage, caller)) ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      await pass(10);
    }
  });
  // The attack is under way before anything is measured.
  if (attack) await pass(500);
  const times: number[] = [];
  let batchMilliseconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 2; round++) {
    for (let call = 0; call < 25; call++) {
      times.push(await timeOf(() => stage.victim.call('getAvailableCredits', {})));
      await pass(20);
    }
    const took = await timeOf(() => runSmallBatch(stage));
    batchMilliseconds = Math.min(batchMilliseconds, took);
  }
  isOver = true;
  await Promise.all(attacking);
  return { p95: percentile95(times), batchMilliseconds, statuses };
}

async function runSmallBatch({ victim, victimSheetId, calls }: Stage): Promise<void> {
  const { batch } = await victim.call('askChatGpt', {
    questionWithVariable: `Say {{Row}} after ${calls} calls`,
    query: { file: victimSheetId, start: true },
  });
  await victim.whenEnded(batch?.id ?? '', 10);
}

function problemsOf(measured: Measured, alone: Measured, { processes }: Stage): string[] {
  const hasEnded = processes.some(
    ({ process: { exitCode, signalCode } }) => exitCode !== null || signalCode,
  );
  return [
    ...(hasEnded ? ['a process ended'] : []),
    ...(measured.p95 > p95AtMostMilliseconds ? [slowCalls] : []),
    ...(measured.batchMilliseconds > batchRatioAtMost * alone.batchMilliseconds ? [slowBatch] : []),
    ...((measured.statuses[500] ?? 0) > 0 ? ['the API answered 500'] : []),
  ];
}

/** Each caller makes another attack. */
function mixed(stage: Stage, caller: number): Promise<number> {
  return (attacks[caller % attacks.length] as Attack).step(stage, caller);
}

/** Sends the head and the first bytes of an upload, and no more, for two seconds. */
function holdUpload({ url, attacker }: Stage): Promise<number> {
  const head = [
    `POST ${endpoints.saveFile.path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${attacker.token}`,
    'content-type: multipart/form-data; boundary=x',
    'content-length: 50000000',
  ];
  const body =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nRow\nrow 1\n';
  return holdOpen(url, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function holdStream({ url, attacker }: Stage): Promise<number> {
  const head = [
    `GET ${endpoints.events.path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${attacker.token}`,
  ];
  return holdOpen(url, `${head.join('\r\n')}\r\n\r\n`);
}

const heldMilliseconds = 2_000;

/** Returns the status of an answer that came meanwhile, and 0 otherwise. */
function holdOpen(url: string, request: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let status = 0;
    const socket: Socket = connect(Number(port), hostname, () => socket.write(request));
    const timer = setTimeout(() => socket.destroy(), heldMilliseconds);
    socket.on('data', (data) => {
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1] ?? status);
      if (status >= 400) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(status);
    });
  });
}

async function readAll(response: Response | null): Promise<number> {
  await response?.arrayBuffer().catch(() => null);
  return response?.status ?? 0;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(0.95 * (values.length - 1))] ?? Number.NaN;
}

export const isAbuseMissed = ({ problems }: AbuseReport) => problems.length > 0;

export function describeAbuse(report: AbuseReport): string {
  const { attack, p95, batchMilliseconds, statuses, problems } = report;
  const answers = Object.entries(statuses).map(([status, times]) => `${status}: ${times}`);
  return [
    problems.length === 0 ? 'ok  ' : 'MISS',
    attack.padEnd(30),
    `p95 ${Math.round(p95)} ms`,
    `small batch ${Math.round(batchMilliseconds)} ms`,
    `attacker ${answers.join(', ') || '-'}`,
    problems.join('; '),
  ].join('  ');
}
