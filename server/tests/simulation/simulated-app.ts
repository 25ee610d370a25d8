import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { startApp } from '../../src/app.ts';
import { type DatabaseConfig, parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import type { Context } from '../../src/core/context.ts';
import { embeddedDialect } from '../../src/db/embedded-dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Schema } from '../../src/db/schema.ts';
import { afterCommit, type Db } from '../../src/db/transaction.ts';
import { sliceQueueName } from '../../src/domains/batches/rules.ts';
import { removeFiles } from '../../src/domains/files/jobs.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { FakeGateway } from './fake-gateway.ts';
import { Faults } from './faults.ts';
import { MemoryFiles } from './memory-files.ts';
import { PreparedDatabase } from './prepared-database.ts';
import { ScriptedChat } from './scripted-chat.ts';

/** Submissions for an answered row, by model. */
export const prices = { fair: 1, dear: 3, gift: 0 } as const;
export type ModelName = keyof typeof prices;

const beginning = Date.UTC(2030, 0, 1);

export class StepClock implements Clock {
  #now = beginning;

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  startAnew(): void {
    this.#now = beginning;
  }
}

export interface EventJob {
  provider: string;
  eventId: string;
}

export interface SliceJob {
  claim: { id: string; retryCount: number };
  batchId: string;
  first: number;
}

/** Slices that wait for a worker, and who has which of the others in his hands. */
export class SliceQueue {
  readonly jobs: SliceJob[] = [];
  readonly #taken = new Map<string, number>();
  #number = 0;

  add(slice: { batchId: string; first: number }): void {
    this.jobs.push({ ...slice, claim: { id: `job-${++this.#number}`, retryCount: 0 } });
  }

  take(job: SliceJob): void {
    this.jobs.splice(this.jobs.indexOf(job), 1);
    this.#taken.set(job.claim.id, job.claim.retryCount);
  }

  /** Its holder is taken for dead. */
  giveAgain({ claim: { id, retryCount }, ...slice }: SliceJob): void {
    this.#taken.delete(id);
    this.jobs.push({ ...slice, claim: { id, retryCount: retryCount + 1 } });
  }

  isHeldBy({ id, retryCount }: SliceJob['claim']): boolean {
    return this.#taken.get(id) === retryCount;
  }

  finish({ id }: SliceJob['claim']): void {
    this.#taken.delete(id);
  }

  clear(): void {
    this.jobs.length = 0;
    this.#taken.clear();
  }
}

/** The product without its engine, its queue and its site: the use cases on a real database, in a app that a program moves. */
export interface SimulatedApp extends AsyncDisposable {
  ctx: Context;
  clock: StepClock;
  chat: ScriptedChat;
  files: MemoryFiles;
  faults: Faults;
  queue: SliceQueue;
  gateway: FakeGateway;
  /** Events that wait to be processed. */
  eventJobs: EventJob[];
  /** Everybody and everything is forgotten. */
  empty(): Promise<void>;
}

const deadlineSeconds = 120;

/** Quick: the use cases work on a database that costs less, while the product's own one idles. */
export async function openSimulatedApp(
  database: DatabaseConfig,
  { isQuick = false } = {},
): Promise<SimulatedApp> {
  await using stack = new AsyncDisposableStack();
  const clock = new StepClock();
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-simulation-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const started = stack.use(await startApp(configOf(database, directory), { clock }));
  const db = isQuick ? await openQuickly(stack) : started.ctx.db;
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
    await sql`truncate users, rate_limits, provider_events cascade`.execute(db);
    await sql`update invoice_numbers set last = 0`.execute(db);
    clock.startAnew();
    outside.files.clear();
    outside.queue.clear();
    outside.gateway.clear();
    outside.eventJobs.length = 0;
  };
  const opened = stack.move();
  const ctx = { ...contextOf(started.ctx, outside), db };
  return { ...outside, clock, ctx, empty, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function openQuickly(stack: AsyncDisposableStack): Promise<Db> {
  const db = new Kysely<Schema>({
    dialect: embeddedDialect(stack.use(await PreparedDatabase.open())),
  });
  await migrate(db);
  return db;
}

/** Nothing is served and nothing works by itself. */
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
    finishJob: async (_db, claim) => {
      faults.pass();
      if (!queue.isHeldBy(claim)) return false;
      afterCommit(() => queue.finish(claim));
      return true;
    },
    publish: async () => faults.pass(),
  };
}
