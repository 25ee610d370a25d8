import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ServiceUnavailable } from '../../lib/unavailable.ts';
import type { FromWorker, StatementResult, ToWorker } from './embedded-messages.ts';

/** Without a limit on the young generation, V8 keeps about 100 MB of garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

/** How much of a statement that took too long is shown in the log. */
const shownCharacters = 500;

/**
 * PostgreSQL's codes when a file cannot be opened, read or written. A process without a free file
 * descriptor meets several: some files then seem to be missing, or to exist already.
 */
const fileCodes = ['53000', '58000', '58030', '58P01', '58P02'];

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A statement that failed, with PostgreSQL's code, as `pg` reports it. */
export class StatementError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;

  constructor(fields: Record<string, unknown>) {
    super(String(fields.message));
    this.name = 'StatementError';
    this.code = fields.code as string | undefined;
    this.constraint = fields.constraint as string | undefined;
  }
}

/** Without a directory the database is in memory. `template`: an empty database to copy. */
export interface Place {
  directory: string | null;
  template: string | null;
}

interface QueryOptions {
  /** Precedes the statement by `begin` in the same exchange. */
  beginsTransaction?: boolean;
  /** Whether it may only take a bounded time. */
  isLimited?: boolean;
}

interface Pending {
  text: string;
  isLimited: boolean;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** A run of the embedded database's thread. When it ends, every open statement fails. */
export class EmbeddedSession {
  onNotified: (channel: string, payload: string) => void = () => {};
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #failure: ServiceUnavailable | null = null;
  #hasEnded = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
    worker.on('messageerror', (error) => this.#fail(error));
    worker.on('exit', () => {
      this.#hasEnded = true;
      this.#fail(new Error('its thread has ended'));
    });
  }

  static async start(place: Place): Promise<EmbeddedSession> {
    const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: place,
      resourceLimits,
    });
    const ended = once(worker, 'exit').then(() => {
      throw new Error('its thread ended as it was opened');
    });
    await Promise.race([once(worker, 'message'), ended]);
    return new EmbeddedSession(worker);
  }

  /** How many statements it was given. */
  get statements(): number {
    return this.#lastId;
  }

  get current(): { id: number; text: string; isLimited: boolean } | null {
    for (const [id, { text, isLimited }] of this.#pending) return { id, text, isLimited };
    return null;
  }

  /** Whether another one may use the files. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  query(
    text: string,
    values: readonly unknown[],
    { beginsTransaction = false, isLimited = false }: QueryOptions = {},
  ): Promise<StatementResult> {
    return this.send({ kind: 'query', text, values, beginsTransaction }, isLimited);
  }

  send<R>(message: WithoutId<ToWorker>, isLimited = false): Promise<R> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    const text = 'text' in message ? message.text.slice(0, shownCharacters) : message.kind;
    return new Promise<R>((resolve, reject) => {
      this.#pending.set(id, { text, isLimited, resolve, reject });
      this.#worker.postMessage({ ...message, id });
    });
  }

  /** Ends the thread, even while it is busy. */
  async end(reason: string): Promise<void> {
    this.#fail(new Error(reason));
    await this.#worker.terminate();
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'notified') this.onNotified(message.channel, message.payload);
    if (message.kind === 'notified' || message.kind === 'ready') return;
    // PostgreSQL would end. Here the thread would answer nothing more, however long it is given.
    if (message.kind === 'failed' && message.error.severity === 'PANIC')
      return void this.end(String(message.error.message));
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === 'done') pending?.resolve(message.result as never);
    else pending?.reject(failureOf(new StatementError(message.error)));
  }

  #fail(cause: Error): void {
    if (this.#failure) return;
    const message = `The embedded database stopped: ${cause.message}`;
    this.#failure = new ServiceUnavailable(message, { cause });
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}

function failureOf(error: StatementError): Error {
  if (!fileCodes.includes(error.code ?? '')) return error;
  const message = `The embedded database cannot use its files: ${error.message}`;
  return new ServiceUnavailable(message, { cause: error });
}
