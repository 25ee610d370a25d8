import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { ScopedDb } from '../db/scope.ts';
import type { Db } from '../db/transaction.ts';
import type { PaymentProvider } from '../domains/billing/port.ts';
import type { FileStore } from '../domains/files/port.ts';
import type { PasswordHasher } from '../domains/identity/port.ts';
import type { MailTransport } from '../domains/notifications/port.ts';
import type { ChatModel } from '../engine/port.ts';
import type { Job } from '../jobs/job.ts';
import type { Clock } from '../lib/clock.ts';
import type { SheetImporter } from '../lib/csv/import/sheet-importer.ts';
import type { EventBus, Notice } from './event-bus.ts';
import type { EventCounter } from './events.ts';
import type { PassFaultPoint } from './fault-point.ts';

/** What every use case is handed: the world, as far as it may touch it. */
export interface Context {
  config: Config;
  /** Reaches what the present work may: see `Scope`. */
  db: Db;
  /** Another handle, for the places where it is decided who works. */
  scopedDb: ScopedDb;
  clock: Clock;
  log: Logger;
  events: EventCounter;
  /** Names the request or job in the log and in the audit. */
  requestId: string;
  passwords: PasswordHasher;
  mail: MailTransport;
  files: FileStore;
  importer: SheetImporter;
  chat: ChatModel;
  /** The payment providers that are set up, by name. */
  payments: ReadonlyMap<string, PaymentProvider>;
  notices: EventBus;
  /** Passed on the road of a row; absent unless the process is to die at one of them. */
  passFaultPoint?: PassFaultPoint;
  /** The key with which the caller named this act, where he did. */
  idempotencyKey?: string;
  /** Puts jobs into the queue, in the transaction of `db`. */
  enqueue(db: Db, ...jobs: Job[]): Promise<void>;
  /** Takes a job that the engine has in its hands off the queue, in the transaction of `db`. False: somebody else has it now. */
  finishJob(db: Db, job: { name: string; id: string; retryCount: number }): Promise<boolean>;
  /** Tells every process that something has changed, when the transaction of `db` is committed. */
  publish(db: Db, notice: Notice): Promise<void>;
}
