import type { Limits, ProviderLanes } from './provider-lanes.ts';
import { type WorkerNews, WorkerShares } from './worker-shares.ts';

interface Parts {
  worker: string;
  lanes: Pick<ProviderLanes, 'all'>;
  /** Also of a provider that this worker has not called: it hears what the others find. */
  limits: Pick<Limits, 'find'>;
  now(): number;
  countSlices(provider: string): number;
  tell(news: WorkerNews): void;
}

/** A worker's shares of all provider keys. */
export class LaneShares {
  readonly #parts: Parts;
  readonly #shares = new Map<string, WorkerShares>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Tells the others of this worker before it calls the provider. */
  join(provider: string): void {
    this.#of(provider);
  }

  look(): void {
    for (const { key } of this.#parts.lanes.all) this.#of(key);
    for (const shares of this.#shares.values()) shares.look();
  }

  hear(news: WorkerNews): void {
    this.#of(news.provider).hear(news);
  }

  end(): void {
    for (const shares of this.#shares.values()) shares.end();
  }

  #of(provider: string): WorkerShares {
    const known = this.#shares.get(provider);
    if (known) return known;
    const { worker, limits, now, countSlices, tell } = this.#parts;
    const shares = new WorkerShares({
      worker,
      // A limiter is replaced when its concurrency is changed.
      limiter: () => limits.find(provider),
      now,
      countSlices: () => countSlices(provider),
      tell: (news) => tell({ ...news, provider }),
    });
    this.#shares.set(provider, shares);
    return shares;
  }
}
