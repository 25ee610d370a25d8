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
 * The engine takes its slices by itself, when it has room for them. A worker that says nothing for so long is dead, and its
 * slices go back; one that lives may keep a slice for as long as the model makes it wait.
 */
const sliceQueue = { retryLimit: 10_000, retryDelay: 0, heartbeatSeconds: 15, expireInSeconds: 86_000 };
const monitorSeconds = 10;

export interface TakenJob {
  id: string;
  data: unknown;
}

/**
 * The queue of the product, on the same database as everything else. A job that is enqueued with the handle of a
 * transaction exists exactly when that transaction does.
 */
export class JobQueue implements AsyncDisposable {
  readonly #boss: PgBoss;
  readonly #definitions: Record<string, JobDefinition>;

  readonly #pulled: readonly string[];

  constructor(
    database: OpenDatabase,
    definitions: Record<string, JobDefinition>,
    { isWorker, pulled }: { isWorker: boolean; pulled: readonly string[] },
  ) {
    this.#pulled = pulled;
    this.#boss = new PgBoss({
      ...database.queue,
      schema: 'jobs',
      supervise: isWorker,
      schedule: isWorker,
      monitorIntervalSeconds: monitorSeconds,
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
    for (const name of this.#pulled) {
      if (!known.has(name)) await this.#boss.createQueue(name, { ...sliceQueue, deleteAfterSeconds: 60 });
    }
  }

  /** Jobs for somebody who asks for them himself, finishes them himself, and meanwhile says that he lives. */
  async take(name: string, count: number): Promise<TakenJob[]> {
    const jobs = await this.#boss.fetch(name, { batchSize: count });
    return jobs.map(({ id, data }) => ({ id, data }));
  }

  async finish(db: Db, { name, id }: { name: string; id: string }): Promise<void> {
    await this.#boss.complete(name, id, null, { db: fromKysely(db) });
  }

  async keepAlive(name: string, ids: string[]): Promise<void> {
    await this.#boss.touch(name, ids);
  }

  /** Only where nobody else can have one of them: on the embedded database, at the start. */
  async clear(name: string): Promise<void> {
    await this.#boss.deleteAllJobs(name);
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
