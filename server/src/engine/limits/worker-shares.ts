import type { PublishedCall } from './pooled-calls.ts';
import type { SharedLimits } from './provider-lanes.ts';

/** What a worker publishes to the other workers of the same key or lane. */
export interface WorkerUpdate extends Update {
  /** The name of the key or lane. */
  provider: string;
}

interface Update {
  worker: string;
  /** Leased slices; null when the worker ends. */
  slices: number | null;
  inFlight: number;
  /** Calls since the last update; none while nothing is refused. */
  calls: PublishedCall[];
}

interface Parts {
  worker: string;
  /** Undefined for what this worker does not know. */
  limiter(): SharedLimits | undefined;
  now(): number;
  countSlices(): number;
  publish(update: Update): void;
}

/** How often a worker checks for changes to publish. */
export const publishIntervalMilliseconds = 50;
/** An update is repeated after this time, because notices can be lost. */
const repeatMilliseconds = 5_000;
/** A worker without updates for this time is dead, and others lease its slices. */
const workerTimeoutMilliseconds = 15_000;
/** More calls do not fit into a notice. */
const callsPerUpdate = 400;
/** A process without slices gets the share of one slice, so that it can start. */
const minSlices = 1;

/** Divides the limits of a key or lane among its workers. Exchanges calls for `PooledCalls`. */
export class WorkerShares {
  readonly #parts: Parts;
  readonly #others = new Map<string, { slices: number; seenAt: number }>();
  #lastPublished: { at: number; slices: number; inFlight: number } | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Publishes slices, calls and calls in flight, if one of them changed. */
  publishChanges(): void {
    const { limiter, now, countSlices } = this.#parts;
    const slices = countSlices();
    const { inFlight = 0, pool } = limiter() ?? {};
    const last = this.#lastPublished;
    const calls = pool?.takeUnpublished() ?? [];
    this.#applyShare();
    const isChanged =
      !last ||
      slices !== last.slices ||
      calls.length > 0 ||
      (pool?.isShared && inFlight !== last.inFlight) ||
      now() >= last.at + repeatMilliseconds;
    if (!isChanged) return;
    this.#lastPublished = { at: now(), slices, inFlight };
    do this.#publish(slices, calls.splice(0, callsPerUpdate));
    while (calls.length > 0);
  }

  /** Publishes that this worker ends: the others get its share at once. */
  end(): void {
    this.#publish(null, []);
  }

  onUpdate({ worker, slices, inFlight, calls }: Update): void {
    // When the own updates arrive, notices work: a worker without updates is dead.
    if (worker === this.#parts.worker) this.#forgetDead();
    else if (slices === null) this.#others.delete(worker);
    else {
      if (!this.#others.has(worker)) this.#lastPublished = null;
      this.#others.set(worker, { slices, seenAt: this.#parts.now() });
      this.#parts.limiter()?.pool?.onCallsReceived(worker, calls, inFlight);
    }
    this.#applyShare();
  }

  #publish(slices: number | null, calls: PublishedCall[]): void {
    const { worker, limiter, publish } = this.#parts;
    publish({ worker, slices, inFlight: limiter()?.inFlight ?? 0, calls });
  }

  #applyShare(): void {
    const own = Math.max(minSlices, this.#parts.countSlices());
    let all = own;
    for (const { slices } of this.#others.values()) all += slices;
    const limiter = this.#parts.limiter();
    limiter?.setShare(own / all);
    limiter?.pool?.setOthers(new Set(this.#others.keys()));
  }

  #forgetDead(): void {
    const since = this.#parts.now() - workerTimeoutMilliseconds;
    for (const [worker, { seenAt }] of this.#others)
      if (seenAt < since) this.#others.delete(worker);
  }
}
