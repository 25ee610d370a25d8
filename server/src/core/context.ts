import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { ScopedDb } from '../db/scope.ts';
import type { Db } from '../db/transaction.ts';
import type { PaymentProvider } from '../domains/billing/port.ts';
import type { FileStore } from '../domains/files/port.ts';
import type { PasswordHasher } from '../domains/identity/port.ts';
import type { MailTransport } from '../domains/notifications/port.ts';
import type { ModelDirectory } from '../domains/providers/port.ts';
import type { ChatModel } from '../engine/port.ts';
import type { Job } from '../jobs/job.ts';
import type { Clock } from '../lib/clock.ts';
import type { SheetImporter } from '../lib/csv/import/sheet-importer.ts';
import type { LruCache } from '../lib/lru-cache.ts';
import type { Turns } from '../lib/turns.ts';
import type { EventBus, Notice } from './event-bus.ts';
import type { EventCounter } from './events.ts';
import type { PassFaultPoint } from './fault-point.ts';

/** How often each value of a column occurs; null if it has too many different ones. */
export type ValueCounts = { value: string; rows: number }[] | null;

/** Passed to every use case: configuration, database, adapters and services. */
export interface Context {
  config: Config;
  /** Reaches the rows of the present work; see `Scope`. */
  db: Db;
  /** A handle for another scope, for the code that decides the scope. */
  scopedDb: ScopedDb;
  clock: Clock;
  log: Logger;
  events: EventCounter;
  /** Identifies the request or job in the log and the audit log. */
  requestId: string;
  /** Aborted when the client of the call has gone. Absent outside calls. */
  signal?: AbortSignal;
  /** Called after each commit. Absent outside calls. */
  onCommit?: () => void;
  passwords: PasswordHasher;
  mail: MailTransport;
  files: FileStore;
  importer: SheetImporter;
  /** Of quotes and previews that read a whole large sheet. */
  measuring: Turns;
  chat: ChatModel;
  /** What operators have set for models. */
  models: ModelDirectory;
  /** The payment providers that are set up, by name. */
  payments: ReadonlyMap<string, PaymentProvider>;
  notices: EventBus;
  /** The rows that a search found, and the values of columns, by batch and request. */
  foundRows: LruCache<Int32Array>;
  valueCounts: LruCache<{ values: ValueCounts }>;
  /** Marks the points at which tests kill the process; absent without FAULT_POINT. */
  passFaultPoint?: PassFaultPoint;
  /** The `Idempotency-Key` of the call, if it has one. */
  idempotencyKey?: string;
  /** Stored with the work of such a call: only the same request of the same person finds it. */
  workKey?: string;
  /** The process that first ran the request under this key was killed. */
  isSecondRun?: boolean;
  /** Adds jobs to the queue in the transaction of `db`. */
  enqueue(db: Db, ...jobs: Job[]): Promise<void>;
  /** Completes a leased job in the transaction of `db`. False: another worker has the job. */
  finishJob(db: Db, job: { name: string; id: string; retryCount: number }): Promise<boolean>;
  /** Removes the unleased jobs of a batch in the transaction of `db`. Returns their payloads. */
  withdrawJobs(db: Db, of: { name: string; batchId: string }): Promise<unknown[]>;
  /** Sends a notice to every process when the transaction of `db` commits. */
  publish(db: Db, notice: Notice): Promise<void>;
}
