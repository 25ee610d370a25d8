import { fromKysely, PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import type { OpenDatabase } from '../db/connect.ts';
import type { Db } from '../db/transaction.ts';
import { newId } from '../lib/ids.ts';
import type { JobDefinition } from './define-job.ts';
import type { Job } from './job.ts';

const retry = { retryLimit: 8, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };
/** Finished jobs are of no use to anybody; failed ones are kept for the operator. */
const deleteAfterSeconds = 3600;
/** What is running at a shutdown may end within this time. */
const drainMilliseconds = 20_000;

/**
 * The queue of the product, on the same database as everything else. A job that is enqueued with the handle of a
 * transaction exists exactly when that transaction does.
 */
export class JobQueue implements AsyncDisposable {
  readonly #boss: PgBoss;
  readonly #definitions: Record<string, JobDefinition>;

  constructor(database: OpenDatabase, definitions: Record<string, JobDefinition>, { isWorker }: { isWorker: boolean }) {
    this.#boss = new PgBoss({
      ...database.queue,
      schema: 'jobs',
      supervise: isWorker,
      schedule: isWorker,
      useListenNotify: true,
    });
    this.#definitions = definitions;
  }

  async start(log: Context['log']): Promise<void> {
    this.#boss.on('error', (error) => log.error({ err: error }, 'the job queue reports an error'));
    await this.#boss.start();
    const known = new Set((await this.#boss.getQueues()).map((queue) => queue.name));
    for (const name of Object.keys(this.#definitions)) {
      if (!known.has(name)) await this.#boss.createQueue(name, { ...retry, deleteAfterSeconds, notify: true });
    }
  }

  /** Takes jobs from now on. Each runs with a context that bears its id. */
  async work(ctx: Context): Promise<void> {
    for (const [name, definition] of Object.entries(this.#definitions)) {
      await this.#boss.work(name, { pollingIntervalSeconds: 2 }, async (jobs) => {
        for (const job of jobs) await run(ctx, { name, id: job.id, data: job.data, definition });
      });
      if (definition.cron) await this.#boss.schedule(name, definition.cron, {});
    }
  }

  async enqueue(db: Db, { name, payload }: Job): Promise<void> {
    await this.#boss.send(name, payload, { db: fromKysely(db) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: drainMilliseconds });
  }
}

async function run(ctx: Context, job: { name: string; id: string; data: unknown; definition: JobDefinition }): Promise<void> {
  const requestId = `job-${job.id || newId(ctx.clock.now())}`;
  try {
    const payload = job.definition.payload.parse(job.data ?? {});
    await job.definition.run(
      { ...ctx, requestId, log: ctx.log.child({ job: job.name, request_id: requestId }) },
      payload as never,
    );
  } catch (error) {
    ctx.log.error({ err: error, job: job.name, request_id: requestId }, 'a job failed and will be tried again');
    throw error;
  }
}
