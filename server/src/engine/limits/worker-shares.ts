/** What a worker tells the others that send with the same key. */
export interface WorkerNews extends News {
  provider: string;
}

interface News {
  worker: string;
  /** Leased slices; null when it ends. */
  slices: number | null;
  limit: FoundLimit;
}

/** Of the key, for all workers together; null: none was found. */
export interface FoundLimit {
  rate: number | null;
  ceiling: number | null;
}

interface Limiter {
  readonly found: FoundLimit;
  takeShare(share: number): void;
  adopt(limit: FoundLimit): void;
}

interface Parts {
  worker: string;
  /** None while this worker has not called the provider. */
  limiter(): Limiter | undefined;
  now(): number;
  countSlices(): number;
  tell(news: News): void;
}

/** How often a worker looks whether it has something to tell. */
export const lookMilliseconds = 100;
/** News are repeated, because some are lost. */
const repeatMilliseconds = 5_000;
/** A worker that was silent for so long is dead. Its slices are leased by others after the same time. */
const silenceMilliseconds = 15_000;
/** A rate is news below this share of what was told before. */
const lower = 0.9;
/** A process without slices gets as much as for a first one. */
const firstSlice = 1;

/** Splits the calls of a key between the workers by their slices, and makes a limit that one of them finds known to all. */
export class WorkerShares {
  readonly #parts: Parts;
  readonly #others = new Map<string, { slices: number; heardAt: number }>();
  #told: { at: number; slices: number; rate: number } | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Tells what changed. */
  look(): void {
    const { now, countSlices } = this.#parts;
    const slices = countSlices();
    const rate = this.#limit.rate ?? Infinity;
    const told = this.#told;
    this.#takeShare();
    const isNews =
      !told ||
      slices !== told.slices ||
      rate < lower * told.rate ||
      now() >= told.at + repeatMilliseconds;
    if (isNews) {
      this.#told = { at: now(), slices, rate };
      this.#tell(slices);
    } else {
      // A rate that grew is no news, but a later fall is.
      told.rate = Math.max(told.rate, rate);
    }
  }

  /** The others get this worker's share at once. */
  end(): void {
    this.#tell(null);
  }

  hear({ worker, slices, limit }: News): void {
    // Own news come back, so those of the others would have arrived too.
    if (worker === this.#parts.worker) this.#forgetDead();
    else if (slices === null) this.#others.delete(worker);
    else {
      if (!this.#others.has(worker)) this.#told = null;
      this.#others.set(worker, { slices, heardAt: this.#parts.now() });
      this.#parts.limiter()?.adopt(limit);
    }
    this.#takeShare();
  }

  get #limit(): FoundLimit {
    return this.#parts.limiter()?.found ?? { rate: null, ceiling: null };
  }

  #tell(slices: number | null): void {
    const { worker, tell } = this.#parts;
    tell({ worker, slices, limit: this.#limit });
  }

  #takeShare(): void {
    const own = Math.max(firstSlice, this.#parts.countSlices());
    let all = own;
    for (const { slices } of this.#others.values()) all += slices;
    this.#parts.limiter()?.takeShare(own / all);
  }

  #forgetDead(): void {
    const since = this.#parts.now() - silenceMilliseconds;
    for (const [worker, { heardAt }] of this.#others)
      if (heardAt < since) this.#others.delete(worker);
  }
}
