import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { startApp } from '../../src/app.ts';
import { type DatabaseConfig, parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import type { Context } from '../../src/core/context.ts';
import { embeddedDialect } from '../../src/db/embedded/embedded-dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Schema } from '../../src/db/schema.ts';
import { afterCommit, type Db } from '../../src/db/transaction.ts';
import { sliceQueueName } from '../../src/domains/batches/slices/sizes.ts';
import { removeFiles } from '../../src/domains/files/rules.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { model, modelBySize } from '../support/models.ts';
import { FakeGateway } from './fake-gateway.ts';
import { Faults } from './faults.ts';
import { MemoryFiles } from './memory-files.ts';
import { PreparedDatabase } from './prepared-database.ts';
import { ScriptedChat } from './scripted-chat.ts';

/** Submissions per answered row, or per started `sizeTokens` of it. */
export const prices = { fair: 1, costly: 3, free: 0, sized: 1 } as const;
/** Of the model `costly`, with a deadline. */
export const economyPrice = 2;
/** Of the model `sized`, whose rows cost 5 or 6 at most. */
export const sizeTokens = 20;
export const answerTokens = 40;
export type ModelName = keyof typeof prices;

const startTime = Date.UTC(2030, 0, 1);

class StepClock implements Clock {
  #now = startTime;

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  reset(): void {
    this.#now = startTime;
  }
}

export interface EventJob {
  provider: string;
  eventId: string;
}

export interface SliceJob {
  lease: { id: string; retryCount: number };
  batchId: string;
  first: number;
}

/** Queued slices, and the leases of all others. */
class SliceQueue {
  readonly jobs: SliceJob[] = [];
  readonly #leases = new Map<string, number>();
  #number = 0;

  add(slice: { batchId: string; first: number }): void {
    this.jobs.push({ ...slice, lease: { id: `job-${++this.#number}`, retryCount: 0 } });
  }

  lease(job: SliceJob): void {
    this.jobs.splice(this.jobs.indexOf(job), 1);
    this.#leases.set(job.lease.id, job.lease.retryCount);
  }

  /** No worker has leased it yet. */
  isWaiting({ batchId, first }: { batchId: string; first: number }): boolean {
    return this.jobs.some(
      (job) => job.batchId === batchId && job.first === first && job.lease.retryCount === 0,
    );
  }

  withdraw(jobs: readonly SliceJob[]): void {
    for (const job of jobs) this.jobs.splice(this.jobs.indexOf(job), 1);
  }

  /** Queues a slice again because its worker is presumed dead. */
  requeue({ lease: { id, retryCount }, ...slice }: SliceJob): void {
    this.#leases.delete(id);
    this.jobs.push({ ...slice, lease: { id, retryCount: retryCount + 1 } });
  }

  isLeasedBy({ id, retryCount }: SliceJob['lease']): boolean {
    return this.#leases.get(id) === retryCount;
  }

  finish({ id }: SliceJob['lease']): void {
    this.#leases.delete(id);
  }

  clear(): void {
    this.jobs.length = 0;
    this.#leases.clear();
  }
}

/** The use cases on a real database. A program takes the place of engine, queue and site. */
export interface SimulatedApp extends AsyncDisposable {
  ctx: Context;
  clock: StepClock;
  chat: ScriptedChat;
  files: MemoryFiles;
  faults: Faults;
  queue: SliceQueue;
  gateway: FakeGateway;
  /** Webhooks that wait to be processed. */
  eventJobs: EventJob[];
  /** Deletes all data. */
  empty(): Promise<void>;
}

const deadlineSeconds = 120;

/** `isQuick` runs the use cases on a faster database while the product's own is idle. */
export async function openSimulatedApp(
  database: DatabaseConfig,
  { isQuick = false } = {},
): Promise<SimulatedApp> {
  await using stack = new AsyncDisposableStack();
  const clock = new StepClock();
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-simulation-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const started = stack.use(await startApp(configOf(database, directory), { clock }));
  await addModels(started.ctx);
  const db = isQuick ? await openQuickDatabase(stack) : started.ctx.db;
  const faults = new Faults();
  const outside: Outside = {
    chat: new ScriptedChat(Object.keys(prices)),
    files: new MemoryFiles(),
    faults,
    queue: new SliceQueue(),
    gateway: new FakeGateway(faults),
    eventJobs: [],
  };
  const empty = async () => {
    await sql`truncate users, results, rate_limits, provider_events cascade`.execute(db);
    await sql`update invoice_numbers set last = 0`.execute(db);
    clock.reset();
    outside.files.clear();
    outside.queue.clear();
    outside.gateway.clear();
    outside.eventJobs.length = 0;
  };
  const opened = stack.move();
  const ctx = { ...contextOf(started.ctx, outside), db };
  return { ...outside, clock, ctx, empty, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function addModels({ db, models }: Context): Promise<void> {
  await db
    .insertInto('models')
    .values([
      modelBySize({ name: 'sized', priceTokens: sizeTokens, answerTokens }),
      model('costly', { price: prices.costly, has_flex: true }),
    ])
    .execute();
  await models.reload();
}

async function openQuickDatabase(stack: AsyncDisposableStack): Promise<Db> {
  const db = new Kysely<Schema>({
    dialect: embeddedDialect(stack.use(await PreparedDatabase.open())),
  });
  await migrate(db);
  return db;
}

/** No role is served and no job runs by itself. */
function configOf(database: DatabaseConfig, directory: string) {
  const settings = {
    PORT: '0',
    DATA_DIR: directory,
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    CHAT_BASE_URL: 'demo',
    CHAT_MODEL: 'fair',
    CHAT_DEADLINE_SECONDS: `${deadlineSeconds}`,
    CHAT_PRICES: Object.entries(prices)
      .map(([model, price]) => `${model}=${price}`)
      .join(','),
  };
  return { ...parseConfig(readEnvironment(settings)), database, serve: new Set<never>() };
}

type Outside = Pick<SimulatedApp, 'chat' | 'files' | 'faults' | 'queue' | 'gateway' | 'eventJobs'>;

interface Payload {
  batch_id: string;
  first: number;
  sheetId: string;
  provider: string;
  eventId: string;
}

function contextOf(ctx: Context, outside: Outside): Context {
  const { chat, files, faults, queue, gateway, eventJobs } = outside;
  return {
    ...ctx,
    chat,
    files,
    payments: new Map([
      ['stripe', gateway.provider('stripe')],
      ['paypal', gateway.provider('paypal')],
    ]),
    enqueue: async (_db, ...jobs) => {
      faults.pass();
      for (const { name, payload } of jobs) {
        const {
          batch_id: batchId = '',
          first = 0,
          sheetId = '',
          provider = '',
          eventId = '',
        } = payload as Partial<Payload>;
        if (name === sliceQueueName) afterCommit(() => queue.add({ batchId, first }));
        if (name === 'billing.event') afterCommit(() => eventJobs.push({ provider, eventId }));
        if (name === removeFiles('').name) afterCommit(() => files.remove(sheetId));
      }
    },
    finishJob: async (_db, lease) => {
      faults.pass();
      if (!queue.isLeasedBy(lease)) return false;
      afterCommit(() => queue.finish(lease));
      return true;
    },
    withdrawJobs: async (_db, { batchId }) => {
      faults.pass();
      const waiting = queue.jobs.filter(
        (job) => job.batchId === batchId && job.lease.retryCount === 0,
      );
      afterCommit(() => queue.withdraw(waiting));
      return waiting;
    },
    publish: async () => faults.pass(),
  };
}
