import { ServiceUnavailable } from '../lib/unavailable.ts';

/** What one request has waited for connections. All its statements share it, whichever handle and pool they use. */
export class RequestWait {
  readonly #since = performance.now();
  readonly #isStream: boolean;
  #isFirst = false;
  #waited = 0;
  #waits = 0;
  #waitingSince = 0;

  /** The statements of a download or an event stream come over hours, so each waits like a new request. */
  constructor({ isStream = false } = {}) {
    this.#isStream = isStream;
  }

  /** From now on its statements wait like those of a job, because what they store was paid for. */
  goFirst(): void {
    this.#isFirst = true;
  }

  get since(): number {
    if (this.#isFirst) return Number.NEGATIVE_INFINITY;
    return this.#isStream ? performance.now() : this.#since;
  }

  get milliseconds(): number {
    if (this.#isStream || this.#isFirst) return 0;
    return this.#waited + (this.#waits > 0 ? performance.now() - this.#waitingSince : 0);
  }

  /** Waits at the same time count once. */
  async during<T>(wait: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#waitingSince = performance.now();
    try {
      return await wait;
    } finally {
      if (--this.#waits === 0) this.#waited += performance.now() - this.#waitingSince;
    }
  }
}

interface Bounds {
  connections: number;
  /** Of one request over all its statements, and of each statement of other work. */
  waitMilliseconds?: number;
}

interface Waiting {
  since: number;
  begin(): void;
}

/**
 * Lends connections to the oldest request first. In the order of asking, a request of several statements would queue behind
 * every newcomer again and again, and in a crowd only requests of one statement would end in time. Jobs and the engine go
 * before requests: they are few at once, and would otherwise queue behind all requests with each of their statements.
 */
export class ConnectionTurns {
  readonly #waitMilliseconds: number;
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor({ connections, waitMilliseconds = Number.POSITIVE_INFINITY }: Bounds) {
    this.#free = connections;
    this.#waitMilliseconds = waitMilliseconds;
  }

  /** Resolves with the function that gives the connection back. Calling it again does nothing. */
  async take(request?: RequestWait): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else if (request) await request.during(this.#wait(request.since, this.#leftFor(request)));
    else await this.#wait(Number.NEGATIVE_INFINITY, this.#waitMilliseconds);
    let isReturned = false;
    return () => {
      if (isReturned) return;
      isReturned = true;
      const next = this.#waiting.shift();
      if (next) next.begin();
      else this.#free++;
    };
  }

  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const giveBack = await this.take();
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  #leftFor(request: RequestWait): number {
    return Math.max(0, this.#waitMilliseconds - request.milliseconds);
  }

  #wait(since: number, milliseconds: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { since, begin: resolve };
    const later = this.#waiting.findIndex((other) => other.since > since);
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiting);
    if (milliseconds === Number.POSITIVE_INFINITY) return promise;
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(new ServiceUnavailable('No connection to the database was free in time.'));
    }, milliseconds);
    return promise.finally(() => clearTimeout(timer));
  }
}
