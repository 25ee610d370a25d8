import type { ProviderLanes } from './provider-lanes.ts';
import { type WorkerNews, WorkerShares } from './worker-shares.ts';

interface Parts {
  worker: string;
  lanes: Pick<ProviderLanes, 'all' | 'find'>;
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

  look(): void {
    for (const { key } of this.#parts.lanes.all) this.#of(key).look();
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
    const { worker, lanes, now, countSlices, tell } = this.#parts;
    const shares = new WorkerShares({
      worker,
      // A limiter is replaced when its concurrency is changed.
      limiter: () => lanes.find(provider)?.limiter,
      now,
      countSlices: () => countSlices(provider),
      tell: (news) => tell({ ...news, provider }),
    });
    this.#shares.set(provider, shares);
    return shares;
  }
}
