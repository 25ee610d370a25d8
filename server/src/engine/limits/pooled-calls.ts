import type { ObservedCall } from './limit-estimate.ts';

/** Milliseconds between sending and publishing, and calls in flight (negative if refused). */
export type PublishedCall = [ago: number, inFlight: number];

export interface PooledCall extends ObservedCall {
  sentAt: number;
}

interface Parts {
  now(): number;
  hasLimit(): boolean;
  /** Receives the calls in the order of sending, each with the calls in flight of all workers. */
  evaluate(call: PooledCall): void;
}

interface PendingCall extends PooledCall {
  worker: string;
}

const own = '';
/**
 * Calls are evaluated after this delay, when most calls of the other workers have arrived. The
 * other workers publish refusals within 50 ms and other calls within 200 ms. A delay of 250 ms
 * raised refusals by half for two workers at 300 calls a second; less than 150 ms gains little.
 */
const evaluationDelayMilliseconds = 150;
/** Workers stop publishing after this time without a refusal and without a limit. */
const activeMilliseconds = 5_000;
/** The first calls of a new worker wait for the other calls of the key. */
const joiningMilliseconds = 500;

/** Merges the calls of all workers of a key, so that each worker estimates the limit of the key. */
export class PooledCalls {
  readonly #parts: Parts;
  #hasOthers = false;
  /** False with an embedded database, which has one process. */
  #mayHaveOthers = false;
  #joinedAt = Infinity;
  #activeUntil = -Infinity;
  #pending: PendingCall[] = [];
  #unpublished: PooledCall[] = [];
  #evaluatedAt = -Infinity;
  readonly #inFlight = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether calls are published to the other workers. */
  get isShared(): boolean {
    const { now, hasLimit } = this.#parts;
    if (this.#mayHaveOthers && now() < this.#joinedAt) return true;
    return this.#hasOthers && (now() < this.#activeUntil || hasLimit());
  }

  /** Own calls, in the order in which they were sent. */
  add(call: PooledCall): void {
    const { sentAt, inFlight, isRefused } = call;
    if (isRefused) this.#stayActive();
    if (this.#joinedAt === Infinity) this.#joinedAt = this.#parts.now() + joiningMilliseconds;
    if (this.isShared) {
      this.#unpublished.push({ sentAt, inFlight, isRefused });
      this.#pending.push({ sentAt, inFlight, isRefused, worker: own });
    } else {
      this.#evaluateUntil(Infinity);
      this.#parts.evaluate(call);
    }
  }

  /** Takes own unpublished calls, and evaluates the due calls of all workers. */
  takeUnpublished(): PublishedCall[] {
    const now = this.#parts.now();
    this.#evaluateUntil(now - evaluationDelayMilliseconds);
    const unpublished = this.#unpublished;
    this.#unpublished = [];
    return unpublished.map(({ sentAt, inFlight, isRefused }) => [
      Math.round(now - sentAt),
      isRefused ? -inFlight : inFlight,
    ]);
  }

  /** Calls that another worker published. */
  onCallsReceived(worker: string, calls: readonly PublishedCall[], inFlight: number): void {
    const now = this.#parts.now();
    if (calls.length === 0) this.#inFlight.set(worker, inFlight);
    for (const [ago, count] of calls) {
      const isRefused = count < 0;
      if (isRefused) this.#stayActive();
      this.#pending.push({ worker, sentAt: now - ago, inFlight: Math.abs(count), isRefused });
    }
    if (!this.isShared) this.#pending = [];
  }

  /** Replaces the list of the other live workers. */
  setOthers(workers: ReadonlySet<string>): void {
    this.#mayHaveOthers = true;
    this.#hasOthers = workers.size > 0;
    for (const worker of this.#inFlight.keys())
      if (worker !== own && !workers.has(worker)) this.#inFlight.delete(worker);
  }

  #stayActive(): void {
    this.#activeUntil = this.#parts.now() + activeMilliseconds;
  }

  #evaluateUntil(until: number): void {
    if (this.#pending.length === 0) return;
    const due = this.#pending.filter(({ sentAt }) => sentAt <= until);
    this.#pending = this.#pending.filter(({ sentAt }) => sentAt > until);
    for (const call of due.toSorted((one, other) => one.sentAt - other.sentAt))
      this.#evaluate(call);
  }

  #evaluate({ worker, sentAt, inFlight, isRefused }: PendingCall): void {
    // A call that arrives late counts as sent now.
    this.#evaluatedAt = Math.max(this.#evaluatedAt, sentAt);
    this.#inFlight.set(worker, inFlight);
    let all = 0;
    for (const each of this.#inFlight.values()) all += each;
    this.#parts.evaluate({ sentAt: this.#evaluatedAt, inFlight: all, isRefused });
    if (isRefused) this.#inFlight.set(worker, inFlight - 1);
  }
}
