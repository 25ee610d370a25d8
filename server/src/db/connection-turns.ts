import { ServiceUnavailable } from '../lib/unavailable.ts';
import { ConnectionUse } from './connection-use.ts';

interface WaitOptions {
  isStream?: boolean;
  person?: string;
}

/** What one request has waited for connections: all its statements, on every handle and pool. */
export class RequestWait {
  /** The person who makes it, or else a network. Without either, no use is counted. */
  person: string | undefined;
  readonly #since = performance.now();
  readonly #isStream: boolean;
  #isFirst = false;
  #waited = 0;
  #waits = 0;
  #waitingSince = 0;

  /** A download or an event stream lasts hours, so each statement waits like a new request. */
  constructor({ isStream = false, person }: WaitOptions = {}) {
    this.#isStream = isStream;
    this.person = person;
  }

  /**
   * From now on its statements wait like those of a job. They store what was paid for, or undo what
   * the request has started; or a refusal would hide what is committed.
   */
  goFirst(): void {
    this.#isFirst = true;
  }

  get isFirst(): boolean {
    return this.#isFirst;
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
  /** The longest wait of a request with all its statements, or of another single statement. */
  waitMilliseconds?: number;
  /** Jobs and the engine go before requests; otherwise in the order of asking. */
  areJobsFirst?: boolean;
}

interface Waiting {
  since: number;
  person: string | undefined;
  request?: RequestWait;
  begin(): void;
  refuse(): void;
}

/**
 * Lends connections first to people who have used few of them recently, then to the oldest request.
 * In plain order, the many requests of one person would go before the only one of another. Each
 * statement of a request would queue again, so under load only requests of one statement would end
 * in time. Jobs and the engine are few and go first.
 */
export class ConnectionTurns {
  readonly #bounds: Required<Bounds>;
  readonly #use: ConnectionUse;
  /** The oldest first. */
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor({
    connections,
    waitMilliseconds = Number.POSITIVE_INFINITY,
    areJobsFirst = true,
  }: Bounds) {
    this.#bounds = { connections, waitMilliseconds, areJobsFirst };
    this.#free = connections;
    this.#use = new ConnectionUse(connections);
  }

  /** Resolves with the function that gives the connection back. Calling it again does nothing. */
  async take(request?: RequestWait): Promise<() => void> {
    const { waitMilliseconds, areJobsFirst } = this.#bounds;
    const person = request?.isFirst ? undefined : request?.person;
    const hasPlace = this.#free > 0 && (!person || this.#use.mayBegin(person));
    if (hasPlace) this.#begin(person);
    else if (request) {
      const left = Math.max(0, waitMilliseconds - request.milliseconds);
      await request.during(this.#wait({ since: request.since, person, request }, left));
    } else {
      const since = areJobsFirst ? Number.NEGATIVE_INFINITY : performance.now();
      await this.#wait({ since, person }, waitMilliseconds);
    }
    return this.#returning(person);
  }

  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Refuses the requests that have waited at least this long. */
  refuseLate(milliseconds: number): void {
    for (const waiting of [...this.#waiting])
      if ((waiting.request?.milliseconds ?? 0) >= milliseconds) waiting.refuse();
  }

  #begin(person: string | undefined): void {
    this.#free--;
    if (person) this.#use.begin(person);
  }

  #returning(person: string | undefined): () => void {
    const began = performance.now();
    let isReturned = false;
    return () => {
      if (isReturned) return;
      isReturned = true;
      this.#free++;
      if (person) this.#use.end(person, performance.now() - began);
      this.#beginNext();
    };
  }

  #beginNext(): void {
    let next: Waiting | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting) {
      const { person } = waiting;
      const excess = person ? this.#use.excessOf(person) : 0;
      if (excess >= least || (person && !this.#use.mayBegin(person))) continue;
      next = waiting;
      least = excess;
      if (least === 0) break;
    }
    if (!next) return;
    this.#remove(next);
    this.#begin(next.person);
    next.begin();
  }

  #remove(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
  }

  #wait(asked: Omit<Waiting, 'begin' | 'refuse'>, milliseconds: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = () => {
      this.#remove(waiting);
      asked.request?.goFirst();
      reject(new ServiceUnavailable('No connection to the database was free in time.'));
    };
    const waiting: Waiting = { ...asked, begin: resolve, refuse };
    const later = this.#waiting.findIndex(({ since }) => since > asked.since);
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiting);
    if (milliseconds === Number.POSITIVE_INFINITY) return promise;
    const timer = setTimeout(refuse, milliseconds);
    return promise.finally(() => clearTimeout(timer));
  }
}
