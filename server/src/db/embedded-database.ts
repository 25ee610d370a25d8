import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Turnstile } from '../lib/turnstile.ts';
import type { FromWorker, StatementResult, ToWorker } from './embedded-messages.ts';

/**
 * Statements leave much short-lived garbage in the database's thread. With room for it the engine lets it pile up, and the
 * process keeps some 100 MB that nobody uses.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

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

/**
 * The embedded database as the main thread sees it. It has one connection; `turns` hands it out, so that a transaction
 * keeps it to itself and everyone else waits.
 */
export class EmbeddedDatabase implements AsyncDisposable {
  readonly turns = new Turnstile();
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  readonly #listeners = new Map<string, (payload: string) => void>();
  #nextId = 1;
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
    const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData: { directory }, resourceLimits });
    await once(worker, 'message');
    return new EmbeddedDatabase(worker);
  }

  /** `begins`: a transaction begins with this statement. */
  query(text: string, values: readonly unknown[], { begins = false } = {}): Promise<StatementResult> {
    return this.#send({ kind: 'query', text, values, begins });
  }

  /** Several statements without values. */
  script(text: string): Promise<StatementResult[]> {
    return this.#send({ kind: 'script', text });
  }

  async listen(channel: string, onNotified: (payload: string) => void): Promise<() => Promise<void>> {
    this.#listeners.set(channel, onNotified);
    await this.turns.pass(() => this.#send({ kind: 'listen', channel }));
    return async () => {
      this.#listeners.delete(channel);
      if (!this.#closed) await this.turns.pass(() => this.#send({ kind: 'unlisten', channel }));
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    await this.turns.pass(() => this.#send({ kind: 'close' }));
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

  #fail(error: Error): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
