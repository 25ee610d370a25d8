import { dirname } from 'node:path';
import { hasSpaceForDatabase } from '../../lib/disk-space.ts';
import { StartRefused } from '../../lib/start-refused.ts';
import { ConnectionTurns } from '../connection-turns.ts';
import { assertUsableDatabase, DataDirectoryDamaged } from './data-directory.ts';
import type { StatementResult } from './embedded-messages.ts';
import { EmbeddedSession, type Place } from './embedded-session.ts';
import { findEmptyDatabase } from './empty-database.ts';
import { copyForRequest, isCopyRequested } from './running-copy.ts';

/** PGlite makes no checkpoints itself: the log would grow, and be read whole after a kill. */
const checkpoint = { everyMilliseconds: 30_000, statements: 500 };
const watchMilliseconds = 1_000;
/** A vacuum of a million rows takes less. Behind a longer statement requests may get 503. */
const longStatementSeconds = 5;
const waitMilliseconds = 2_000;
/** The longest statement of a request, as on PostgreSQL. */
export const statementSeconds = 30;
/** The longest wait of a request behind the short statements of others. */
const crowdMilliseconds = 10_000;
const diskFullExitCode = 3;

interface Bounds {
  statementSeconds: number;
  crowdMilliseconds: number;
}

interface OpenOptions extends Partial<Bounds> {
  /** A new one has all tables already, unless this is set. */
  isBlank?: boolean;
}

/** The embedded database on the main thread. A transaction holds its one connection. */
export class EmbeddedDatabase implements AsyncDisposable {
  /** Jobs wait without a limit. Requests that wait too long are refused by `#poll`. */
  readonly turns = new ConnectionTurns({ connections: 1, areJobsFirst: false });
  readonly #place: Place;
  readonly #bounds: Bounds;
  readonly #listeners = new Map<string, (payload: string) => void>();
  #session: EmbeddedSession;
  #opening: Promise<void> | null = null;
  #watched = { id: 0, seconds: 0 };
  #checkpointed = 0;
  #checkpointedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #isCopying = false;

  private constructor(session: EmbeddedSession, place: Place, bounds: Bounds) {
    this.#session = this.#withListeners(session);
    this.#place = place;
    this.#bounds = bounds;
    if (place.directory !== null) this.#watch(dirname(place.directory));
  }

  /** Without a directory the database is in memory. */
  static async open(
    directory: string | null,
    options: OpenOptions = {},
  ): Promise<EmbeddedDatabase> {
    const bounds = {
      statementSeconds: options.statementSeconds ?? statementSeconds,
      crowdMilliseconds: options.crowdMilliseconds ?? crowdMilliseconds,
    };
    if (directory !== null && !hasSpaceForDatabase(dirname(directory)))
      throw new StartRefused(
        `The disk of ${dirname(directory)} is almost full: the database needs 32 MB to start. Nothing was changed.`,
        { exitCode: diskFullExitCode },
      );
    if (directory !== null) assertUsableDatabase(directory);
    const place = { directory, template: options.isBlank ? null : findEmptyDatabase() };
    try {
      return new EmbeddedDatabase(await EmbeddedSession.start(place), place, bounds);
    } catch (error) {
      if (directory === null) throw error;
      throw new DataDirectoryDamaged(directory, 'PostgreSQL cannot open it', { cause: error });
    }
  }

  get session(): EmbeddedSession {
    return this.#session;
  }

  query(text: string, values: readonly unknown[]): Promise<StatementResult> {
    return this.#session.query(text, values);
  }

  /** Several statements without values. */
  script(text: string): Promise<StatementResult[]> {
    return this.#session.send({ kind: 'script', text });
  }

  async listen(
    channel: string,
    onNotified: (payload: string) => void,
  ): Promise<() => Promise<void>> {
    this.#listeners.set(channel, onNotified);
    await this.turns.runExclusive(() => this.#session.send({ kind: 'listen', channel }));
    return async () => {
      this.#listeners.delete(channel);
      if (!this.#isClosed)
        await this.turns.runExclusive(() => this.#session.send({ kind: 'unlisten', channel }));
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    if (this.#timer) clearInterval(this.#timer);
    await this.#opening;
    this.#isClosed = true;
    if (!this.#session.hasEnded)
      await this.turns.runExclusive(() => this.#session.send({ kind: 'close' }));
    await this.#session.end('it is closed');
  }

  #withListeners(session: EmbeddedSession): EmbeddedSession {
    session.onNotified = (channel, payload) => this.#listeners.get(channel)?.(payload);
    return session;
  }

  #watch(directory: string): void {
    this.#timer = setInterval(() => this.#poll(directory), watchMilliseconds).unref();
  }

  /**
   * On a full disk the worker thread returns empty results or spins forever. So the process ends
   * before the disk is full.
   */
  #poll(directory: string): void {
    if (!hasSpaceForDatabase(directory)) exitOnFullDisk(directory);
    if (this.#session.hasEnded) this.#opening ??= this.#openAgain();
    this.#endLongStatement();
    if (!this.#isCopying) this.turns.refuseLate(this.#bounds.crowdMilliseconds);
    const isDue = performance.now() - this.#checkpointedAt >= checkpoint.everyMilliseconds;
    if (!this.#isCopying && isCopyRequested(directory)) void this.#copy(directory);
    if (isDue && this.#session.statements - this.#checkpointed > checkpoint.statements)
      void this.#checkpoint();
  }

  /** As after a kill, everything committed is there. Until it succeeds every statement fails. */
  async #openAgain(): Promise<void> {
    try {
      this.#session = this.#withListeners(await EmbeddedSession.start(this.#place));
      this.#checkpointed = 0;
      for (const channel of this.#listeners.keys())
        await this.turns.runExclusive(() => this.#session.send({ kind: 'listen', channel }));
    } catch {
    } finally {
      this.#opening = null;
    }
  }

  /** Seconds are counted here, because a process that was frozen has not used them. */
  #endLongStatement(): void {
    const { current } = this.#session;
    const isSame = current?.id === this.#watched.id;
    this.#watched = { id: current?.id ?? 0, seconds: isSame ? this.#watched.seconds + 1 : 0 };
    if (!current || this.#watched.seconds < longStatementSeconds) return;
    this.turns.refuseLate(waitMilliseconds);
    if (current.isLimited && this.#watched.seconds >= this.#bounds.statementSeconds)
      void this.#session.end(
        `a statement took more than ${this.#bounds.statementSeconds} s: ${current.text}`,
      );
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

  /** The next checkpoint makes up for a failed one. */
  async #checkpoint(): Promise<void> {
    this.#checkpointed = this.#session.statements;
    this.#checkpointedAt = performance.now();
    await this.turns.runExclusive(() => this.script('checkpoint')).catch(() => {});
  }
}

/** Everything committed is still there at the next start. */
function exitOnFullDisk(directory: string): never {
  process.stderr.write(
    `The disk of ${directory} is full, so the database stopped. Free some space and start Rowmill again.\n`,
  );
  process.exit(diskFullExitCode);
}
