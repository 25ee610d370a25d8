import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type ApiClient, signInDemoClient, startBatch } from '../../harness/api-client.ts';
import { type OwnPostgres, startOwnPostgres } from '../../harness/own-postgres.ts';
import {
  type Child,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import { startProxy, type TcpProxy } from '../../harness/proxy.ts';
import { pass, readTotals, seconds } from './totals.ts';

/** Rows must be stored again this long after a fault ended. */
const resumesWithinSeconds = 15;
/** Of one process, on average, while PostgreSQL accepts none. */
const attemptsPerSecondAtMost = 2;
/** Connections that were needed for a fault are closed after 10 s without use. */
const idleSeconds = 12;
/** Twenty freezes of 45 s took up to 40 s: what waited meanwhile uses the extra connections again and again. */
const settlesWithinSeconds = 120;
const rows = 200_000;
const tooLate = 'rows went on late';
const tooManyAttempts = 'too many attempts';
/** Bounds in real time, which the command enforces and the test does not: a busy machine would fail it. */
export const boundsInTime: readonly string[] = [tooLate, tooManyAttempts];

/** A product on PostgreSQL, the worker apart, each with its own way to the database, while a batch runs. */
interface Stage {
  postgres: OwnPostgres;
  admin: pg.Pool;
  client: ApiClient;
  batchId: string;
  api: Child;
  worker: Child;
  ways: Record<'api' | 'worker', TcpProxy>;
  /** The most connections of the two processes while the batch runs and nothing else happens. */
  usualConnections: number;
}

export interface FaultReport {
  fault: string;
  /** The most connection attempts a second of one process; null when connections were not refused. */
  attemptsPerSecond: number | null;
  /** `after`: when what the fault needed has not been used for a while. */
  connections: { before: number; after: number };
  /** From the end of the fault to the next stored row. */
  resumedAfterSeconds: number;
  /** What the API answered meanwhile. */
  statuses: number[];
  problems: string[];
}

interface Fault {
  name: string;
  /** Returns the attempts to connect that each process made in a second, if it counted them. */
  act(stage: Stage): Promise<number | null>;
}

const outage = (milliseconds: number): Fault => ({
  name: `away for ${seconds(milliseconds)} s`,
  act: async ({ ways }) => {
    for (const way of Object.values(ways)) {
      way.state.isDown = true;
      way.state.accepted = 0;
      way.cut();
    }
    await pass(milliseconds);
    const attempts = Object.values(ways).map(({ state }) => state.accepted);
    for (const { state } of Object.values(ways)) state.isDown = false;
    return Math.max(...attempts) / (milliseconds / 1_000);
  },
});

const cuts = (times: number): Fault => ({
  name: `${times} cuts`,
  act: async ({ ways }) => {
    for (let cut = 0; cut < times; cut++) {
      for (const way of Object.values(ways)) way.cut();
      await pass(250);
    }
    return null;
  },
});

const freeze = (milliseconds: number): Fault => ({
  name: `worker frozen for ${seconds(milliseconds)} s`,
  act: async ({ worker }) => {
    worker.process.kill('SIGSTOP');
    await pass(milliseconds);
    worker.process.kill('SIGCONT');
    return null;
  },
});

const killedPostmaster: Fault = {
  name: 'postmaster killed',
  act: async ({ postgres }) => {
    await postgres.killAndRestart();
    return null;
  },
};

const deadConnections: Fault = {
  name: 'connections dead without an error',
  act: async ({ ways }) => {
    for (const way of Object.values(ways)) way.silence();
    return null;
  },
};

const lockedTable = (milliseconds: number): Fault => ({
  name: `batches locked for ${seconds(milliseconds)} s`,
  act: async ({ admin }) => {
    const holder = await admin.connect();
    await holder.query('begin; lock table batches in access exclusive mode');
    await pass(milliseconds);
    await holder.query('rollback');
    holder.release();
    return null;
  },
});

const fullPool = (requests: number): Fault => ({
  name: `${requests} requests at once`,
  act: async ({ client, batchId }) => {
    const call = () => client.status('getBatch', { id: batchId });
    await Promise.all(Array.from({ length: requests }, call));
    return null;
  },
});

interface Options {
  isShort: boolean;
  /** Names of faults, or parts of them; empty for all. */
  only?: readonly string[];
}

/** Short: each kind once. Long: outages ten times, 100 cuts, 20 freezes of 45 s, ten kills. */
export async function databaseFaults({ isShort, only = [] }: Options): Promise<FaultReport[]> {
  const repeat = (times: number, faults: Fault[]) => Array.from({ length: times }, () => faults);
  const faults: Fault[] = isShort
    ? [
        ...[outage(2_000), cuts(5), freeze(1_000), killedPostmaster],
        ...[deadConnections, lockedTable(4_000), fullPool(100)],
      ]
    : [
        ...repeat(10, [outage(2_000), outage(5_000), outage(8_000)]).flat(),
        ...repeat(10, [outage(60_000)]).flat(),
        cuts(100),
        ...repeat(20, [freeze(45_000)]).flat(),
        ...repeat(10, [killedPostmaster]).flat(),
        ...repeat(3, [deadConnections, lockedTable(40_000), fullPool(500)]).flat(),
      ];
  await using stack = new AsyncDisposableStack();
  const stage = await open(stack);
  const reports: FaultReport[] = [];
  const isWanted = ({ name }: Fault) =>
    only.length === 0 || only.some((part) => name.includes(part));
  for (const fault of faults.filter(isWanted)) {
    const report = await run(stage, fault);
    reports.push(report);
    process.stdout.write(`${describeFault(report)}\n`);
    if (!areAlive(stage)) return reports;
  }
  const last = await end(stage);
  process.stdout.write(`${describeFault(last)}\n`);
  return [...reports, last];
}

async function open(stack: AsyncDisposableStack): Promise<Stage> {
  const postgres = stack.use(await startOwnPostgres());
  const chat = stack.use(await startFakeChatProcess('--latency', '200'));
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-chaos-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const env = {
    DEMO: 'off',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    CHAT_CONCURRENCY: '16',
    CHAT_BASE_URL: chat.url,
  };
  rmSync(await prepareData(rows, { ...env, DATABASE_URL: postgres.url }), { recursive: true });
  const admin = new pg.Pool({ connectionString: postgres.url, max: 2 });
  admin.on('error', () => {});
  stack.defer(() => admin.end());
  const start = async (roles: string) => {
    const way = stack.use(await startProxy(new URL(postgres.url)));
    const settings = { ...env, SERVE: roles, DATABASE_URL: way.url };
    const child = stack.use(await startProduct(settings, directory, { keeps: true }));
    return { way, child };
  };
  const api = await start('site,auth,plan,main');
  const worker = await start('worker');
  const client = await signInDemoClient(api.child.url);
  const stage: Stage = {
    postgres,
    admin,
    client,
    batchId: await startBatch(client, rows),
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
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      statuses.add(await stage.client.status('getBatch', { id: stage.batchId }));
      // Few enough to leave the count of reconnects to the product itself.
      await pass(1_000);
    }
  })();
  const attemptsPerSecond = await fault.act(stage);
  const resumedAfter = await whenRowsAreStored(stage);
  isOver = true;
  await asking;
  const after = await settledConnections(stage);
  const problems = [
    ...(areAlive(stage) ? [] : ['a process ended']),
    ...(statuses.has(500) ? ['the API answered 500'] : []),
    ...(after > before ? ['too many connections'] : []),
    ...(resumedAfter > resumesWithinSeconds * 1_000 ? [tooLate] : []),
    ...((attemptsPerSecond ?? 0) > attemptsPerSecondAtMost ? [tooManyAttempts] : []),
  ];
  return {
    fault: fault.name,
    attemptsPerSecond,
    connections: { before, after },
    resumedAfterSeconds: resumedAfter / 1_000,
    statuses: [...statuses].sort(),
    problems,
  };
}

/** Stops the batch and checks the ledger. */
async function end({ client, batchId, postgres }: Stage): Promise<FaultReport> {
  await client.call('stopFileProcessing', { id: batchId });
  const { answered, failed, charged } = await client.whenEnded(batchId, 250);
  const { brokenInvariants, spent } = await readTotals({ kind: 'postgres', url: postgres.url });
  const isCharged = charged === answered && spent === answered;
  return {
    fault: `the end: answered ${answered}, failed ${failed}, charged ${charged}, spent ${spent}`,
    attemptsPerSecond: null,
    connections: { before: 0, after: 0 },
    resumedAfterSeconds: 0,
    statuses: [],
    problems: [
      ...brokenInvariants.map((name) => `ledger check ${name} failed`),
      ...(isCharged && failed === 0 ? [] : ['rows failed or were charged wrongly']),
    ],
  };
}

/** Waits for the next stored row and returns the milliseconds; gives up when a process has ended. */
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

async function settledConnections(stage: Stage): Promise<number> {
  const deadline = performance.now() + settlesWithinSeconds * 1_000;
  while (connectionsOf(stage) > stage.usualConnections && performance.now() < deadline)
    await pass(250);
  return connectionsOf(stage);
}

const areAlive = ({ api, worker }: Stage) =>
  [api, worker].every(({ process: { exitCode, signalCode } }) => exitCode === null && !signalCode);

export const isMissed = ({ problems }: FaultReport) => problems.length > 0;

export function describeFault(report: FaultReport): string {
  const { fault, attemptsPerSecond, connections, resumedAfterSeconds, statuses, problems } = report;
  const attempts = attemptsPerSecond === null ? '-' : attemptsPerSecond.toFixed(1);
  return [
    problems.length === 0 ? 'ok  ' : 'MISS',
    fault.padEnd(36),
    `attempts/s ${attempts}`,
    `connections ${connections.before} -> ${connections.after}`,
    `rows after ${resumedAfterSeconds.toFixed(1)} s`,
    `API ${statuses.join(',') || '-'}`,
    problems.join('; '),
  ].join('  ');
}
