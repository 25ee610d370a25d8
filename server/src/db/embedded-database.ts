import { once } from 'node:events';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { hasRoomForDatabase } from '../lib/disk-room.ts';
import { Mutex } from '../lib/mutex.ts';
import type { FromWorker, StatementResult, ToWorker } from './embedded-messages.ts';

/**
 * Statements leave much short-lived garbage in the database's thread. With room for it the engine lets it pile up, and the
 * process keeps some 100 MB that nobody uses.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

/** The embedded database makes no checkpoint by itself: its log would grow, and a start after a kill would read all of it. */
const checkpoint = { everyMilliseconds: 30_000, statements: 500 };
const lookMilliseconds = 1_000;
export const diskFullExitCode = 3;

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A statement that the embedded database refused, with PostgreSQL's code, as `pg` would report it. */
export class StatementError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;

  constructor(fields: Record<string, unknown>) {
    super(String(fields.message));
    this.name = 'StatementError';
    this.code = fields.code as string | undefined;
    this.constraint = fields.constraint as string | undefined;
    this.detail = fields.detail as string | undefined;
  }
}

/** Nothing is opened or changed where the database could not work. */
export class DiskTooFull extends Error {
  constructor(directory: string) {
    super(
      `There is too little room left in ${directory}: the database needs 32 MB to start. Nothing was changed.`,
    );
    this.name = 'DiskTooFull';
  }
}

/**
 * The embedded database as the main thread sees it. It has one connection; `turns` hands it out, so that a transaction
 * keeps it to itself and everyone else waits.
 */
export class EmbeddedDatabase implements AsyncDisposable {
  readonly turns = new Mutex();
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    { resolve: (result: never) => void; reject: (error: Error) => void }
  >();
  readonly #listeners = new Map<string, (payload: string) => void>();
  #nextId = 1;
  #checkpointed = 1;
  #checkpointedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
    worker.on('messageerror', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('The embedded database has ended.')));
  }

  /** With no directory the database lives in memory. */
  static async open(directory: string | null): Promise<EmbeddedDatabase> {
    if (directory !== null && !hasRoomForDatabase(dirname(directory)))
      throw new DiskTooFull(dirname(directory));
    const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: { directory },
      resourceLimits,
    });
    await once(worker, 'message');
    const database = new EmbeddedDatabase(worker);
    if (directory !== null) database.#watch(dirname(directory));
    return database;
  }

  /** `begins`: a transaction begins with this statement. */
  query(
    text: string,
    values: readonly unknown[],
    { begins = false } = {},
  ): Promise<StatementResult> {
    return this.#send({ kind: 'query', text, values, begins });
  }

  /** Several statements without values. */
  script(text: string): Promise<StatementResult[]> {
    return this.#send({ kind: 'script', text });
  }

  async listen(
    channel: string,
    onNotified: (payload: string) => void,
  ): Promise<() => Promise<void>> {
    this.#listeners.set(channel, onNotified);
    await this.turns.runExclusive(() => this.#send({ kind: 'listen', channel }));
    return async () => {
      this.#listeners.delete(channel);
      if (!this.#closed) await this.turns.runExclusive(() => this.#send({ kind: 'unlisten', channel }));
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    if (this.#timer) clearInterval(this.#timer);
    await this.turns.runExclusive(() => this.#send({ kind: 'close' }));
    this.#closed = true;
    await this.#worker.terminate();
  }

  #send<R>(message: Unnumbered<ToWorker>): Promise<R> {
    if (this.#closed) return Promise.reject(new Error('The embedded database is closed.'));
    const id = this.#nextId++;
    return new Promise<R>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...message, id });
    });
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'notified') this.#listeners.get(message.channel)?.(message.payload);
    if (message.kind === 'notified' || message.kind === 'ready') return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'done') waiting?.resolve(message.result as never);
    else waiting?.reject(new StatementError(message.error));
  }

  #watch(directory: string): void {
    this.#timer = setInterval(() => this.#look(directory), lookMilliseconds).unref();
  }

  /**
   * Without room the thread soon cannot be trusted: it gives back nothing where there is something, or turns round for ever,
   * also when there is room again. So the process ends before.
   */
  #look(directory: string): void {
    if (!hasRoomForDatabase(directory)) endWithoutRoom(directory);
    const isDue = performance.now() - this.#checkpointedAt >= checkpoint.everyMilliseconds;
    if (isDue && this.#nextId - this.#checkpointed > checkpoint.statements) void this.#checkpoint();
  }

  /** One that fails is made up for by the next. */
  async #checkpoint(): Promise<void> {
    this.#checkpointed = this.#nextId;
    this.#checkpointedAt = performance.now();
    await this.turns.runExclusive(() => this.script('checkpoint')).catch(() => {});
  }

  #fail(error: Error): void {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** What was committed is there at the next start, as soon as there is room for one. */
function endWithoutRoom(directory: string): never {
  process.stderr.write(
    `The disk of ${directory} is full, and the database cannot go on. Make room, and start the product again.\n`,
  );
  process.exit(diskFullExitCode);
}
