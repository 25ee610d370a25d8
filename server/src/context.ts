import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Db } from './db/transaction.ts';
import type { PasswordHasher } from './domains/identity/port.ts';
import type { MailTransport } from './domains/notifications/port.ts';
import type { EventCounter } from './events.ts';
import type { Job } from './jobs/job.ts';
import type { Clock } from './lib/clock.ts';

/** What every use case is handed: the world, as far as it may touch it. */
export interface Context {
  config: Config;
  db: Db;
  clock: Clock;
  log: Logger;
  events: EventCounter;
  /** Names the request or job in the log and in the audit. */
  requestId: string;
  passwords: PasswordHasher;
  mail: MailTransport;
  /** Puts a job into the queue, in the transaction of `db`. */
  enqueue(db: Db, job: Job): Promise<void>;
}
