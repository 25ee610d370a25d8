import { once } from 'node:events';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { hasSpaceForDatabase } from '../../lib/disk-space.ts';
import { ConnectionTurns } from '../connection-turns.ts';
import { assertUsableDatabase, DataDirectoryDamaged } from './data-directory.ts';
import type { FromWorker, StatementResult, ToWorker } from './embedded-messages.ts';
import { findEmptyDatabase } from './empty-database.ts';
import { copyForRequest, isCopyRequested } from './running-copy.ts';

/** Without a limit on the young generation V8 lets the garbage of statements grow by about 100 MB. */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

/** PGlite makes no checkpoints itself, so the log would grow and recovery after a kill would read all of it. */
const checkpoint = { everyMilliseconds: 30_000, statements: 500 };
const watchMilliseconds = 1_000;
export const diskFullExitCode = 3;

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A statement that failed, with PostgreSQL's code, as `pg` reports it. */
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

export class DiskTooFull extends Error {
  constructor(directory: string) {
    super(
      `The disk of ${directory} is almost full: the database needs 32 MB to start. Nothing was changed.`,
    );
    this.name = 'DiskTooFull';
  }
}

/** The embedded database, seen from the main thread. It has one connection; a transaction holds its turn until it ends. */
export class EmbeddedDatabase implements AsyncDisposable {
  /** Without a limit: a vacuum or a copy of the files may hold the connection for seconds. */
  readonly turns = new ConnectionTurns({ connections: 1, areJobsFirst: false });
  readonly #worker: Worker;
  readonly #pending = new Map<
    number,
    { resolve: (result: never) => void; reject: (error: Error) => void }
  >();
  readonly #listeners = new Map<string, (payload: string) => void>();
  #nextId = 1;
  #checkpointed = 1;
  #checkpointedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;
  #isCopying = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
    worker.on('messageerror', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('The embedded database has ended.')));
  }

  /** Without a directory the database is in memory. A new one has all tables already, unless `isBlank` is set. */
  static async open(directory: string | null, { isBlank = false } = {}): Promise<EmbeddedDatabase> {
    if (directory !== null && !hasSpaceForDatabase(dirname(directory)))
      throw new DiskTooFull(dirname(directory));
    if (directory !== null) assertUsableDatabase(directory);
    const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: { directory, template: isBlank ? null : findEmptyDatabase() },
      resourceLimits,
    });
    try {
      await once(worker, 'message');
    } catch (error) {
      if (directory === null) throw error;
      throw new DataDirectoryDamaged(directory, 'PostgreSQL cannot open it', { cause: error });
    }
    const database = new EmbeddedDatabase(worker);
    if (directory !== null) database.#watch(dirname(directory));
    return database;
  }

  /** With `beginsTransaction` the statement is preceded by `begin` in the same exchange. */
  query(
    text: string,
    values: readonly unknown[],
    { beginsTransaction = false } = {},
  ): Promise<StatementResult> {
    return this.#send({ kind: 'query', text, values, beginsTransaction });
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
      if (!this.#closed)
        await this.turns.runExclusive(() => this.#send({ kind: 'unlisten', channel }));
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    if (this.#timer) clearInterval(this.#timer);
    await this.turns.runExclusive(() => this.#send({ kind: 'close' }));
    this.#closed = true;
    await this.#worker.terminate();
  }

  #send<R>(message: WithoutId<ToWorker>): Promise<R> {
    if (this.#closed) return Promise.reject(new Error('The embedded database is closed.'));
    const id = this.#nextId++;
    return new Promise<R>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ ...message, id });
    });
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'notified') this.#listeners.get(message.channel)?.(message.payload);
    if (message.kind === 'notified' || message.kind === 'ready') return;
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === 'done') pending?.resolve(message.result as never);
    else pending?.reject(new StatementError(message.error));
  }

  #watch(directory: string): void {
    this.#timer = setInterval(() => this.#poll(directory), watchMilliseconds).unref();
  }

  /**
   * On a full disk the worker thread returns empty results or spins forever, even after space is freed. So the process
   * ends before the disk is full.
   */
  #poll(directory: string): void {
    if (!hasSpaceForDatabase(directory)) exitOnFullDisk(directory);
    const isDue = performance.now() - this.#checkpointedAt >= checkpoint.everyMilliseconds;
    if (!this.#isCopying && isCopyRequested(directory)) void this.#copy(directory);
    if (isDue && this.#nextId - this.#checkpointed > checkpoint.statements) void this.#checkpoint();
  }

  /** Statements wait meanwhile: about a second for each 500 MB. */
  async #copy(directory: string): Promise<void> {
    this.#isCopying = true;
    await this.turns
      .runExclusive(async () => {
        await this.script('checkpoint');
        await copyForRequest(directory);
      })
      .catch(() => {});
    this.#isCopying = false;
  }

  /** A failed checkpoint is made up for by the next one. */
  async #checkpoint(): Promise<void> {
    this.#checkpointed = this.#nextId;
    this.#checkpointedAt = performance.now();
    await this.turns.runExclusive(() => this.script('checkpoint')).catch(() => {});
  }

  #fail(error: Error): void {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** Everything committed is still there at the next start. */
function exitOnFullDisk(directory: string): never {
  process.stderr.write(
    `The disk of ${directory} is full, so the database stopped. Free some space and start Rowmill again.\n`,
  );
  process.exit(diskFullExitCode);
}
