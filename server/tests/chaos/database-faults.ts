import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { signInDemo, startBatch } from '../../harness/api-client.ts';
import { startOwnPostgres } from '../../harness/own-postgres.ts';
import { prepareData, startFakeChatProcess, startProduct } from '../../harness/processes.ts';
import { startProxy } from '../../harness/proxy.ts';
import { pauseAfterStep, pauseAtMostSeconds, SteppedClock, stepBack } from './clock-steps.ts';
import {
  cuts,
  deadConnections,
  type Fault,
  freeze,
  fullPool,
  killedPostmaster,
  lockedTable,
  type Measured,
  outage,
  type Stage,
  steppedClocks,
  usualMilliseconds,
} from './database-fault-kinds.ts';
import { chosen, embedded, pass, readTotals } from './totals.ts';

/** Rows must be stored again this long after a fault ended. */
const resumesWithinSeconds = 15;
/** Of one process, on average, while PostgreSQL accepts none. */
const attemptsPerSecondAtMost = 2;
/** Connections that were needed for a fault are closed after 10 s without use. */
const idleSeconds = 12;
/** Twenty freezes of 45 s took up to 40 s: what waited uses the extra connections again. */
const recoversWithinSeconds = 120;
const rows = 200_000;
/** A request has 2 s for the pool; the rest is the way. */
const refusedWithinSeconds = 2.5;
/** Of every call of the API, also on a connection that is dead without an error. */
const answeredWithinSeconds = 35;
const tooLate = 'rows went on late';
const tooManyAttempts = 'too many attempts';
const lateRefusals = 'requests got 503 late';
const slowCall = 'a call of the API waited too long';
const longPause = 'rows or jobs stood still';
/** Bounds in real time. Only the command enforces them: a busy machine would fail a test. */
export const boundsInTime: readonly string[] = [
  tooLate,
  tooManyAttempts,
  lateRefusals,
  slowCall,
  longPause,
];

export interface FaultReport extends Measured {
  fault: string;
  /** `after`: once the extra connections of the fault have been idle for a while. */
  connections: { before: number; after: number };
  /** From the end of the fault to the next stored row. */
  resumedAfterSeconds: number;
  /** What the API answered meanwhile. */
  statuses: number[];
  /** The call that took longest. */
  slowestSeconds: number;
  problems: string[];
}

interface Options {
  isShort: boolean;
  /** Names of faults, or parts of them; empty for all. */
  only?: readonly string[];
}

/**
 * Short: each kind once, and the clocks twice, because a second step was once overlooked.
 * Long: outages ten times, 100 cuts, 20 freezes of 45 s, ten kills.
 */
export async function databaseFaults({ isShort, only = [] }: Options): Promise<FaultReport[]> {
  const repeat = (times: number, faults: Fault[]) => Array.from({ length: times }, () => faults);
  const faults: Fault[] = isShort
    ? [
        ...[outage(2_000), cuts(5), freeze(1_000), killedPostmaster],
        ...[deadConnections, lockedTable(4_000), fullPool(100)],
        ...[steppedClocks, steppedClocks],
      ]
    : [
        ...repeat(10, [outage(2_000), outage(5_000), outage(8_000)]).flat(),
        ...repeat(10, [outage(60_000)]).flat(),
        cuts(100),
        ...repeat(20, [freeze(45_000)]).flat(),
        ...repeat(10, [killedPostmaster]).flat(),
        ...repeat(3, [deadConnections, lockedTable(40_000), fullPool(500)]).flat(),
        ...repeat(3, [steppedClocks]).flat(),
      ];
  const wanted = chosen([embeddedClock, ...faults], only);
  const reports: FaultReport[] = [];
  const add = (report: FaultReport) => {
    reports.push(report);
    process.stdout.write(`${describeFault(report)}\n`);
  };
  if (wanted.includes(embeddedClock)) add(await embeddedClock.run());
  const onPostgres = faults.filter((fault) => wanted.includes(fault));
  if (onPostgres.length === 0) return reports;
  await using stack = new AsyncDisposableStack();
  const stage = await open(stack);
  for (const fault of onPostgres) {
    add(await run(stage, fault));
    if (!areAlive(stage)) return reports;
  }
  add(await end(stage));
  return reports;
}

async function open(stack: AsyncDisposableStack): Promise<Stage> {
  const postgres = stack.use(await startOwnPostgres());
  const chat = stack.use(await startFakeChatProcess('--latency', `${usualMilliseconds}`));
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-chaos-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const clock = new SteppedClock(directory);
  const env = {
    DEMO: 'off',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    CHAT_CONCURRENCY: '16',
    CHAT_BASE_URL: chat.url,
  };
  rmSync(await prepareData({ ...env, DATABASE_URL: postgres.url }), { recursive: true });
  const admin = new pg.Pool({ connectionString: postgres.url, max: 2 });
  admin.on('error', () => {});
  stack.defer(() => admin.end());
  const start = async (roles: string) => {
    const way = stack.use(await startProxy(new URL(postgres.url)));
    const settings = { ...env, ...clock.env, SERVE: roles, DATABASE_URL: way.url };
    const child = stack.use(await startProduct(settings, directory, { keeps: true }));
    return { way, child };
  };
  const api = await start('site,auth,plan,main');
  const worker = await start('worker');
  const client = await signInDemo(api.child.url);
  const batchId = await startBatch(client, rows);
  const stage: Stage = {
    postgres,
    admin,
    client,
    chat,
    directory,
    clock,
    batchId,
    api: api.child,
    worker: worker.child,
    ways: { api: api.way, worker: worker.way },
    usualConnections: 0,
  };
  await whenRowsAreStored(stage);
  // What the start needed is closed first.
  await pass(idleSeconds * 1_000);
  const until = performance.now() + idleSeconds * 1_000;
  while (performance.now() < until) {
    stage.usualConnections = Math.max(stage.usualConnections, connectionsOf(stage));
    await pass(50);
  }
  return stage;
}

async function run(stage: Stage, fault: Fault): Promise<FaultReport> {
  await whenRowsAreStored(stage);
  const before = stage.usualConnections;
  const statuses = new Set<number>();
  let [isOver, slowest] = [false, 0];
  const asking = (async () => {
    while (!isOver) {
      const sentAt = performance.now();
      statuses.add(await stage.client.status('getBatch', { id: stage.batchId }));
      slowest = Math.max(slowest, (performance.now() - sentAt) / 1_000);
      // Few enough to leave the count of reconnects to the product itself.
      await pass(1_000);
    }
  })();
  const measured = await fault.act(stage);
  const resumedAfter = await whenRowsAreStored(stage);
  isOver = true;
  await asking;
  const after = await stableConnections(stage);
  const problems = [
    ...(areAlive(stage) ? [] : ['a process ended']),
    ...(statuses.has(500) ? ['the API answered 500'] : []),
    ...(after > before ? ['too many connections'] : []),
    ...(resumedAfter > resumesWithinSeconds * 1_000 ? [tooLate] : []),
    ...((measured.attemptsPerSecond ?? 0) > attemptsPerSecondAtMost ? [tooManyAttempts] : []),
    ...((measured.refusedSeconds ?? 0) > refusedWithinSeconds ? [lateRefusals] : []),
    ...(slowest > answeredWithinSeconds ? [slowCall] : []),
    ...pausesOf(measured),
  ];
  return {
    ...measured,
    fault: fault.name,
    connections: { before, after },
    resumedAfterSeconds: resumedAfter / 1_000,
    statuses: [...statuses].sort(),
    slowestSeconds: slowest,
    problems,
  };
}

const pausesOf = ({ pauseSeconds = 0, neverWentOn = false }: Measured) => [
  ...(pauseSeconds > pauseAtMostSeconds ? [longPause] : []),
  ...(neverWentOn ? ['rows or jobs never went on'] : []),
];

const withoutConnections = {
  connections: { before: 0, after: 0 },
  resumedAfterSeconds: 0,
  statuses: [],
  slowestSeconds: 0,
};

const brokenLedger = (names: readonly string[]) =>
  names.map((name) => `ledger check ${name} failed`);

/** A process with everything, whose database asks the same clock. */
const embeddedClock = {
  name: 'embedded: the clock steps back 2 h',
  run: async (): Promise<FaultReport> => {
    await using stack = new AsyncDisposableStack();
    const chat = stack.use(await startFakeChatProcess('--latency', '20'));
    const directory = await prepareData();
    stack.defer(() => rmSync(directory, { recursive: true, force: true }));
    const clock = new SteppedClock(directory);
    const settings = { ...clock.env, CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: '16' };
    const server = await startProduct(settings, directory, { keeps: true });
    const client = await signInDemo(server.url);
    const pause = await pauseAfterStep({
      client,
      directory,
      step: async (askForEmail) => {
        await askForEmail();
        clock.set(stepBack);
      },
    });
    await server[Symbol.asyncDispose]();
    const { brokenInvariants } = await readTotals(embedded(directory));
    return {
      ...withoutConnections,
      fault: embeddedClock.name,
      ...pause,
      problems: [...pausesOf(pause), ...brokenLedger(brokenInvariants)],
    };
  },
};

/** Stops the batch and checks the ledger. */
async function end({ admin, client, batchId, postgres }: Stage): Promise<FaultReport> {
  await client.call('stopFileProcessing', { id: batchId });
  await client.whenEnded(batchId, 250);
  const sums = ['answered', 'failed', 'charged'].map((name) => `sum(${name})::integer as ${name}`);
  const { answered, failed, charged } = (await admin.query(`select ${sums} from batches`)).rows[0];
  const { brokenInvariants, spent } = await readTotals({ kind: 'postgres', url: postgres.url });
  const isCharged = charged === answered && spent === answered;
  return {
    fault: `the end: answered ${answered}, failed ${failed}, charged ${charged}, spent ${spent}`,
    ...withoutConnections,
    problems: [
      ...brokenLedger(brokenInvariants),
      ...(isCharged && failed === 0 ? [] : ['rows failed or were charged wrongly']),
    ],
  };
}

/** Waits for the next stored row and returns the milliseconds. Gives up when a process ended. */
async function whenRowsAreStored(stage: Stage): Promise<number> {
  const started = performance.now();
  const first = await countStored(stage);
  while (areAlive(stage) && (await countStored(stage)) === first) await pass(50);
  return performance.now() - started;
}

async function countStored({ admin, batchId }: Stage): Promise<number> {
  for (;;) {
    try {
      const { rows } = await admin.query('select answered from batches where id = $1', [batchId]);
      return rows[0].answered;
    } catch {
      await pass(50);
    }
  }
}

const connectionsOf = ({ ways }: Stage) =>
  Object.values(ways).reduce((sum, way) => sum + way.openConnections(), 0);

async function stableConnections(stage: Stage): Promise<number> {
  const deadline = performance.now() + recoversWithinSeconds * 1_000;
  while (connectionsOf(stage) > stage.usualConnections && performance.now() < deadline)
    await pass(250);
  return connectionsOf(stage);
}

const areAlive = ({ api, worker }: Stage) =>
  [api, worker].every(({ process: { exitCode, signalCode } }) => exitCode === null && !signalCode);

export const isMissed = ({ problems }: FaultReport) => problems.length > 0;

export function describeFault(report: FaultReport): string {
  const { fault, connections, resumedAfterSeconds, statuses, problems } = report;
  const { attemptsPerSecond: attempts, pauseSeconds: pause, refusedSeconds: refused } = report;
  return [
    problems.length === 0 ? 'ok  ' : 'MISS',
    fault.padEnd(36),
    `attempts/s ${attempts?.toFixed(1) ?? '-'}`,
    ...(pause === undefined ? [] : [`longest pause ${pause.toFixed(1)} s`]),
    `connections ${connections.before} -> ${connections.after}`,
    `rows after ${resumedAfterSeconds.toFixed(1)} s`,
    `API ${statuses.join(',') || '-'}, slowest ${report.slowestSeconds.toFixed(1)} s`,
    ...(refused === undefined ? [] : [`503 after ${refused.toFixed(1)} s (p95)`]),
    problems.join('; '),
  ].join('  ');
}
