import { fromKysely, PgBoss } from 'pg-boss';
import type { Context } from '../core/context.ts';
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
const sliceQueue = {
  retryLimit: 10_000,
  retryDelay: 0,
  heartbeatSeconds: 15,
  expireInSeconds: 86_000,
};
/** How often somebody looks for the dead; a look happens only as often as both of pg-boss's settings allow. */
const monitorSeconds = 8;

/** What pg-boss says of the jobs that were really in the hands of whoever named them; its types leave that out. */
interface Touched {
  affected: number;
  settled: string[];
}

/** A notice wakes a worker once, however many jobs have come meanwhile: while there are many, it goes on without a pause. */
const handful = { batchSize: 5, burstWhenBatchFull: true };

export interface TakenJob {
  id: string;
  /** How often it was given out before: what tells its present holder from one that was thought dead. */
  retryCount: number;
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
    {
      isWorker,
      isScheduled,
      pulled,
    }: { isWorker: boolean; isScheduled: boolean; pulled: readonly string[] },
  ) {
    this.#pulled = pulled;
    this.#boss = new PgBoss({
      ...database.queue,
      schema: 'jobs',
      supervise: isWorker,
      schedule: isScheduled,
      superviseIntervalSeconds: monitorSeconds,
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
      if (!known.has(name))
        await this.#boss.createQueue(name, { ...retry, deleteAfterSeconds, notify: true });
    }
    for (const name of this.#pulled) {
      if (!known.has(name))
        await this.#boss.createQueue(name, { ...sliceQueue, deleteAfterSeconds: 60 });
    }
  }

  /** Jobs for somebody who asks for them himself, finishes them himself, and meanwhile says that he lives. */
  async take(
    name: string,
    { count, minPriority }: { count: number; minPriority?: number },
  ): Promise<TakenJob[]> {
    const jobs = await this.#boss.fetch(name, {
      batchSize: count,
      ...(minPriority === undefined ? {} : { minPriority }),
    });
    return jobs.map(({ id, retryCount, data }) => ({ id, retryCount, data }));
  }

  /** False when the job is not, or not any more, in the hands of this holder. */
  async finish(
    db: Db,
    { name, id, retryCount }: { name: string; id: string; retryCount: number },
  ): Promise<boolean> {
    const { affected } = (await this.#boss.complete(name, { id, retryCount }, null, {
      db: fromKysely(db),
    })) as Touched;
    return affected > 0;
  }

  /** Gives back the ids of those jobs that are still in the hands of this holder. */
  async keepAlive(name: string, claims: { id: string; retryCount: number }[]): Promise<string[]> {
    return ((await this.#boss.touch(name, claims)) as Touched).settled;
  }

  /** What jobs hold that are in somebody's hands. */
  async listHeld(name: string): Promise<unknown[]> {
    const jobs = await this.#boss.findJobs(name);
    return jobs.filter(({ state }) => state === 'active').map(({ data }) => data);
  }

  /** Only where nobody else can have one of them: on the embedded database, at the start. */
  async clear(name: string): Promise<void> {
    await this.#boss.deleteAllJobs(name);
  }

  /** Takes jobs from now on. Each runs with a context that bears its id. */
  async work(ctx: Context): Promise<void> {
    for (const [name, definition] of Object.entries(this.#definitions)) {
      await this.#boss.work(name, { pollingIntervalSeconds: 2, ...handful }, async (jobs) => {
        for (const { id, data } of jobs) {
          // One that fails is tried again alone; those that came with it are done.
          await run(ctx, { name, id, data, definition }).catch((error) =>
            this.#boss.fail(name, id, { message: String(error) }),
          );
        }
      });
      if (definition.cron) await this.#boss.schedule(name, definition.cron, {});
    }
  }

  async enqueue(db: Db, jobs: readonly Job[]): Promise<void> {
    for (const [name, group] of Map.groupBy(jobs, (job) => job.name)) {
      const inserts = group.map(({ payload, priority = 0 }) => ({ data: payload, priority }));
      await this.#boss.insert(name, inserts, { db: fromKysely(db) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: drainMilliseconds });
  }
}

async function run(
  ctx: Context,
  job: { name: string; id: string; data: unknown; definition: JobDefinition },
): Promise<void> {
  const requestId = `job-${job.id || newId(ctx.clock.now())}`;
  try {
    const payload = job.definition.payload.parse(job.data ?? {});
    await job.definition.run(
      { ...ctx, requestId, log: ctx.log.child({ job: job.name, request_id: requestId }) },
      payload as never,
    );
  } catch (error) {
    ctx.log.error(
      { err: error, job: job.name, request_id: requestId },
      'a job failed and will be tried again',
    );
    throw error;
  }
}
