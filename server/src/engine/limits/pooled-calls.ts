import type { Sent } from './limit-estimate.ts';

/** Milliseconds before it was told, and the calls in flight of its worker; negative if it was refused. */
export type ToldCall = [ago: number, inFlight: number];

/** A call that was judged. */
export interface PooledCall extends Sent {
  sentAt: number;
}

interface Parts {
  now(): number;
  hasLimit(): boolean;
  /** Gets the calls in the order in which they were sent, each with the calls in flight of all workers. */
  weigh(call: PooledCall): void;
}

interface Waiting extends PooledCall {
  worker: string;
}

const own = '';
/**
 * Until then the others tell most calls: a refusal is judged at once, another call within 150 ms, and both are told within 50.
 * With 250 ms two workers of a limit of 300 calls a second got half as many refusals more, and less than 150 gains little.
 */
const delayMilliseconds = 150;
/** Without a limit and a refusal for so long, workers tell nothing and weigh their own calls: nothing would show. */
const quietMilliseconds = 5_000;
/** What a new worker sees before it hears the others is not the whole key: its first calls wait for theirs. */
const joiningMilliseconds = 500;

/** The calls of all workers of a key, so that each finds the limit of the key and not what the others leave to it. */
export class PooledCalls {
  readonly #parts: Parts;
  #hasOthers = false;
  /** Of a process that may have others beside it: an embedded database has none. */
  #mayHaveOthers = false;
  #joinedAt = Infinity;
  #quietFrom = -Infinity;
  #waiting: Waiting[] = [];
  #untold: PooledCall[] = [];
  #weighedAt = -Infinity;
  readonly #inFlight = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Calls are told to the others. */
  get isShared(): boolean {
    const { now, hasLimit } = this.#parts;
    if (this.#mayHaveOthers && now() < this.#joinedAt) return true;
    return this.#hasOthers && (now() < this.#quietFrom || hasLimit());
  }

  /** Own calls, in the order in which they were sent. */
  add(call: PooledCall): void {
    const { sentAt, inFlight, isRefused } = call;
    if (isRefused) this.#stayLoud();
    if (this.#joinedAt === Infinity) this.#joinedAt = this.#parts.now() + joiningMilliseconds;
    if (this.isShared) {
      this.#untold.push({ sentAt, inFlight, isRefused });
      this.#waiting.push({ sentAt, inFlight, isRefused, worker: own });
    } else {
      this.#weighUntil(Infinity);
      this.#parts.weigh(call);
    }
  }

  /** Own calls since the last time, for the others. Weighs those of all that are due. */
  take(): ToldCall[] {
    const now = this.#parts.now();
    this.#weighUntil(now - delayMilliseconds);
    const untold = this.#untold;
    this.#untold = [];
    return untold.map(({ sentAt, inFlight, isRefused }) => [
      Math.round(now - sentAt),
      isRefused ? -inFlight : inFlight,
    ]);
  }

  /** What another worker told. */
  hear(worker: string, calls: readonly ToldCall[], inFlight: number): void {
    const now = this.#parts.now();
    if (calls.length === 0) this.#inFlight.set(worker, inFlight);
    for (const [ago, count] of calls) {
      const isRefused = count < 0;
      if (isRefused) this.#stayLoud();
      this.#waiting.push({ worker, sentAt: now - ago, inFlight: Math.abs(count), isRefused });
    }
    if (!this.isShared) this.#waiting = [];
  }

  /** The others that live. */
  keep(workers: ReadonlySet<string>): void {
    this.#mayHaveOthers = true;
    this.#hasOthers = workers.size > 0;
    for (const worker of this.#inFlight.keys())
      if (worker !== own && !workers.has(worker)) this.#inFlight.delete(worker);
  }

  #stayLoud(): void {
    this.#quietFrom = this.#parts.now() + quietMilliseconds;
  }

  #weighUntil(until: number): void {
    if (this.#waiting.length === 0) return;
    const due = this.#waiting.filter(({ sentAt }) => sentAt <= until);
    this.#waiting = this.#waiting.filter(({ sentAt }) => sentAt > until);
    for (const call of due.toSorted((one, other) => one.sentAt - other.sentAt)) this.#weigh(call);
  }

  #weigh({ worker, sentAt, inFlight, isRefused }: Waiting): void {
    // One that was told too late counts as sent now.
    this.#weighedAt = Math.max(this.#weighedAt, sentAt);
    this.#inFlight.set(worker, inFlight);
    let all = 0;
    for (const each of this.#inFlight.values()) all += each;
    this.#parts.weigh({ sentAt: this.#weighedAt, inFlight: all, isRefused });
    if (isRefused) this.#inFlight.set(worker, inFlight - 1);
  }
}
