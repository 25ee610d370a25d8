import { fromKysely, PgBoss } from 'pg-boss';
import type { Context } from '../core/context.ts';
import type { OpenDatabase } from '../db/connect.ts';
import type { Db } from '../db/transaction.ts';
import { newId } from '../lib/ids.ts';
import { repairAfterClockStep } from './clock-steps.ts';
import type { JobDefinition } from './define-job.ts';
import type { Job } from './job.ts';

/** The pauses double up to ten minutes. */
const retry = { retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };
/** The last retry comes about ten minutes after the first failure. */
const retryLimit = 8;
/** The last retry comes about a day after the first failure. */
const emailRetryLimit = 150;
/** pg-boss renews the lease of a running job. That of a dead process is retried after this. */
const heartbeatSeconds = 15;
/** Finished jobs are deleted after an hour. pg-boss keeps failed ones for the operator. */
const deleteAfterSeconds = 3_600;
/** Jobs that run at a shutdown may end within this; serve.ts exits after 25. */
const shutdownMilliseconds = 20_000;

/**
 * The engine fetches slices itself. A slice without a heartbeat for 15 seconds goes to another
 * process; a provider's cooldown may hold it for up to a day. A large batch may wait for weeks.
 */
const sliceQueueOptions = {
  retryLimit: 10_000,
  retryDelay: 0,
  heartbeatSeconds,
  expireInSeconds: 86_000,
  retentionSeconds: 10 * 365 * 86_400,
};
/** Finds missed heartbeats: slices of a dead process are leased again within half a minute. */
const monitorSeconds = 5;
/** A stepped clock stops the queue for no longer than this and a poll. */
const clockCheckMilliseconds = 2_000;
/** A notification wakes a worker once for many jobs, so it continues after full batches. */
const workOptions = { batchSize: 5, burstWhenBatchFull: true, pollingIntervalSeconds: 2 };

/** pg-boss deletes jobs by their ids only, leased or not. */
const withdrawal = `
  delete from jobs.job where name = $1 and state = 'created' and data->>'batch_id' = $2 returning data`;

/** An earlier version let pg-boss delete jobs that had waited for 14 days. */
const extendRetention = `
  with queue as (
    update jobs.queue set retention_seconds = $2 where name = $1 and retention_seconds < $2 returning name)
  update jobs.job set keep_until = start_after + $2 * interval '1 second'
  from queue where job.name = queue.name and state < 'active'`;

/** What pg-boss returns for `complete` and `touch`; its types leave out the held jobs. */
interface Touched {
  affected: number;
  settled: string[];
}

interface WantedJobs {
  count: number;
  minPriority?: number;
  maxPriority?: number;
  ignoreGroups?: readonly string[];
}

interface Options {
  isWorker: boolean;
  isScheduled: boolean;
  /** Queues without a worker: the engine fetches their jobs itself. */
  fetchedQueues: readonly string[];
}

/**
 * The job queue, in the same database: a job exists exactly when the transaction that enqueued it
 * commits.
 */
export class JobQueue implements AsyncDisposable {
  readonly #boss: PgBoss;
  readonly #definitions: Record<string, JobDefinition>;
  readonly #fetchedQueues: readonly string[];
  readonly #workers: string[] = [];
  #clockCheck: NodeJS.Timeout | undefined;
  /** By the clock of the database. */
  #clockCheckedAt: Date | null = null;

  constructor(
    database: OpenDatabase,
    definitions: Record<string, JobDefinition>,
    { isWorker, isScheduled, fetchedQueues }: Options,
  ) {
    this.#fetchedQueues = fetchedQueues;
    this.#definitions = definitions;
    this.#boss = new PgBoss({
      ...database.queue,
      schema: 'jobs',
      supervise: isWorker,
      schedule: isScheduled,
      // pg-boss monitors only when both intervals have passed.
      superviseIntervalSeconds: monitorSeconds,
      monitorIntervalSeconds: monitorSeconds,
      useListenNotify: true,
    });
  }

  async start(log: Context['log']): Promise<void> {
    this.#boss.on('error', (error) => {
      // Most are copies without a prototype, which the log would show as [object Object].
      const err = error instanceof Error ? error : Object.assign(new Error(), error);
      log.error({ err }, 'job queue error');
    });
    await this.#boss.start();
    const known = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]));
    for (const [name, { isEmail }] of Object.entries(this.#definitions)) {
      const queue = known.get(name);
      const changed = { heartbeatSeconds, retryLimit: isEmail ? emailRetryLimit : retryLimit };
      if (!queue)
        await this.#boss.createQueue(name, {
          ...retry,
          ...changed,
          deleteAfterSeconds,
          notify: true,
        });
      // An earlier version made queues without heartbeats, and emails with few retries.
      else if (
        queue.heartbeatSeconds !== changed.heartbeatSeconds ||
        queue.retryLimit !== changed.retryLimit
      )
        await this.#boss.updateQueue(name, changed);
    }
    for (const name of this.#fetchedQueues) {
      if (!known.has(name))
        await this.#boss.createQueue(name, { ...sliceQueueOptions, deleteAfterSeconds: 60 });
      const { retentionSeconds } = sliceQueueOptions;
      await this.#boss.getDb().executeSql(extendRetention, [name, retentionSeconds]);
    }
  }

  /** Leases jobs for a caller who sends heartbeats and finishes them. */
  async fetch(name: string, { count, ignoreGroups = [], ...priorities }: WantedJobs) {
    const jobs = await this.#boss.fetch(name, {
      batchSize: count,
      // Slices never start later. After a step of the clock they would seem to.
      ignoreStartAfter: true,
      ignoreGroups: [...ignoreGroups],
      ...priorities,
    });
    return jobs.map(({ id, retryCount, data }) => ({ id, retryCount, data }));
  }

  /** False when the lease is lost. */
  async finish(
    db: Db,
    { name, id, retryCount }: { name: string; id: string; retryCount: number },
  ): Promise<boolean> {
    const { affected } = (await this.#boss.complete(name, { id, retryCount }, null, {
      db: fromKysely(db),
    })) as Touched;
    return affected > 0;
  }

  /** A job that is being leased, or lost its lease, counts as leased: its worker may come back. */
  async withdraw(db: Db, { name, batchId }: { name: string; batchId: string }): Promise<unknown[]> {
    const { rows } = await fromKysely(db).executeSql(withdrawal, [name, batchId]);
    return (rows as { data: unknown }[]).map(({ data }) => data);
  }

  /** Renews leases and returns the ids of those that are still valid. */
  async heartbeat(name: string, leases: { id: string; retryCount: number }[]): Promise<string[]> {
    return ((await this.#boss.touch(name, leases)) as Touched).settled;
  }

  /** Whether nothing leased or ended the job since. A job without heartbeats waits as `retry`. */
  async isLatestLease(name: string, lease: { id: string; retryCount: number }): Promise<boolean> {
    const [job] = await this.#boss.findJobs(name, { id: lease.id });
    const isOpen = job?.state === 'active' || job?.state === 'retry';
    return isOpen && job.retryCount === lease.retryCount;
  }

  /** The payloads of all leased jobs, of any process. */
  async listLeased(name: string): Promise<unknown[]> {
    const jobs = await this.#boss.findJobs(name);
    return jobs.filter(({ state }) => state === 'active').map(({ data }) => data);
  }

  /** Safe only while no process has leased a job: on the embedded database, at the start. */
  async clear(name: string): Promise<void> {
    await this.#boss.deleteAllJobs(name);
  }

  /** Starts the workers. Each job runs with a context that has its id. */
  async work(ctx: Context): Promise<void> {
    // A step before the first check would be overlooked.
    await this.#checkClock(ctx.log);
    this.#clockCheck = setInterval(() => void this.#checkClock(ctx.log), clockCheckMilliseconds);
    for (const [name, definition] of Object.entries(this.#definitions)) {
      const worker = await this.#boss.work(name, workOptions, async (jobs) => {
        for (const { id, data } of jobs) {
          // A job that fails is retried without the others of its batch.
          await run(ctx, { name, id, data, definition }).catch((error) =>
            this.#boss.fail(name, id, { message: String(error) }),
          );
        }
      });
      this.#workers.push(worker);
      if (definition.cron) await this.#boss.schedule(name, definition.cron, {});
    }
  }

  /**
   * Jobs that run may end; other processes do the rest, and look after the queue. Jobs can still be
   * enqueued, and leased ones finished.
   */
  async stopWork(): Promise<void> {
    clearInterval(this.#clockCheck);
    await Promise.all(Object.keys(this.#definitions).map((name) => this.#boss.offWork(name)));
    await this.#boss.stop({ close: false });
  }

  async enqueue(db: Db, jobs: readonly Job[]): Promise<void> {
    for (const [name, group] of Map.groupBy(jobs, (job) => job.name)) {
      const inserts = group.map(({ payload, priority = 0, group: id }) => ({
        data: payload,
        priority,
        ...(id ? { group: { id } } : {}),
      }));
      await this.#boss.insert(name, inserts, { db: fromKysely(db) });
    }
  }

  async #checkClock(log: Context['log']): Promise<void> {
    try {
      const { hasStepped, now } = await repairAfterClockStep(this.#boss, this.#clockCheckedAt);
      this.#clockCheckedAt = now;
      if (!hasStepped) return;
      log.warn('the clock of the database stepped back');
      for (const worker of this.#workers) this.#boss.notifyWorker(worker);
    } catch (error) {
      log.error({ err: error }, 'could not check the clock of the database');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#clockCheck);
    await this.#boss.stop({ graceful: true, timeout: shutdownMilliseconds });
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
      'a job failed and will be retried',
    );
    throw error;
  }
}
