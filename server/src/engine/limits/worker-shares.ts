import type { PooledCalls, ToldCall } from './pooled-calls.ts';

/** What a worker tells the others that send with the same key. */
export interface WorkerNews extends News {
  provider: string;
}

interface News {
  worker: string;
  /** Leased slices; null when it ends. */
  slices: number | null;
  inFlight: number;
  /** Since the last news; none while nothing is refused. */
  calls: ToldCall[];
}

interface Limiter {
  readonly inFlight: number;
  readonly pool: Pick<PooledCalls, 'isShared' | 'take' | 'hear' | 'keep'>;
  takeShare(share: number): void;
}

interface Parts {
  worker: string;
  /** None of a provider that this worker does not know. */
  limiter(): Limiter | undefined;
  now(): number;
  countSlices(): number;
  tell(news: News): void;
}

/** How often a worker looks whether it has something to tell. */
export const lookMilliseconds = 50;
/** News are repeated, because some are lost. */
const repeatMilliseconds = 5_000;
/** A worker that was silent for so long is dead. Its slices are leased by others after the same time. */
const silenceMilliseconds = 15_000;
/** More would not fit into a notice. */
const callsPerNews = 400;
/** A process without slices gets as much as for a first one. */
const firstSlice = 1;

/** Splits the calls of a key between the workers by their slices, and lets each weigh the calls of all. */
export class WorkerShares {
  readonly #parts: Parts;
  readonly #others = new Map<string, { slices: number; heardAt: number }>();
  #told: { at: number; slices: number; inFlight: number } | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Tells what changed. */
  look(): void {
    const { limiter, now, countSlices } = this.#parts;
    const slices = countSlices();
    const inFlight = limiter()?.inFlight ?? 0;
    const told = this.#told;
    const pool = limiter()?.pool;
    const calls = pool?.take() ?? [];
    this.#takeShare();
    const isNews =
      !told ||
      slices !== told.slices ||
      calls.length > 0 ||
      (pool?.isShared && inFlight !== told.inFlight) ||
      now() >= told.at + repeatMilliseconds;
    if (!isNews) return;
    this.#told = { at: now(), slices, inFlight };
    do this.#tell(slices, calls.splice(0, callsPerNews));
    while (calls.length > 0);
  }

  /** The others get this worker's share at once. */
  end(): void {
    this.#tell(null, []);
  }

  hear({ worker, slices, inFlight, calls }: News): void {
    // Own news come back, so those of the others would have arrived too.
    if (worker === this.#parts.worker) this.#forgetDead();
    else if (slices === null) this.#others.delete(worker);
    else {
      if (!this.#others.has(worker)) this.#told = null;
      this.#others.set(worker, { slices, heardAt: this.#parts.now() });
      this.#parts.limiter()?.pool.hear(worker, calls, inFlight);
    }
    this.#takeShare();
  }

  #tell(slices: number | null, calls: ToldCall[]): void {
    const { worker, limiter, tell } = this.#parts;
    tell({ worker, slices, inFlight: limiter()?.inFlight ?? 0, calls });
  }

  #takeShare(): void {
    const own = Math.max(firstSlice, this.#parts.countSlices());
    let all = own;
    for (const { slices } of this.#others.values()) all += slices;
    const limiter = this.#parts.limiter();
    limiter?.takeShare(own / all);
    limiter?.pool.keep(new Set(this.#others.keys()));
  }

  #forgetDead(): void {
    const since = this.#parts.now() - silenceMilliseconds;
    for (const [worker, { heardAt }] of this.#others)
      if (heardAt < since) this.#others.delete(worker);
  }
}
