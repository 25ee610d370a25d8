import type { Limits, ProviderLanes } from './provider-lanes.ts';
import { WorkerShares, type WorkerUpdate } from './worker-shares.ts';

interface Parts {
  worker: string;
  lanes: Pick<ProviderLanes, 'all'>;
  /** Also finds providers that this worker has not called: it uses the calls of the others. */
  limits: Pick<Limits, 'find'>;
  now(): number;
  countSlices(provider: string): number;
  publish(update: WorkerUpdate): void;
}

/** A worker's shares of all provider keys. */
export class LaneShares {
  readonly #parts: Parts;
  readonly #shares = new Map<string, WorkerShares>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Announces this worker to the others before it calls the provider. */
  join(provider: string): void {
    this.#of(provider);
  }

  publishChanges(): void {
    for (const { key } of this.#parts.lanes.all) this.#of(key);
    for (const shares of this.#shares.values()) shares.publishChanges();
  }

  onUpdate(update: WorkerUpdate): void {
    this.#of(update.provider).onUpdate(update);
  }

  end(): void {
    for (const shares of this.#shares.values()) shares.end();
  }

  #of(provider: string): WorkerShares {
    const known = this.#shares.get(provider);
    if (known) return known;
    const { worker, limits, now, countSlices, publish } = this.#parts;
    const shares = new WorkerShares({
      worker,
      // A limiter is replaced when its concurrency is changed.
      limiter: () => limits.find(provider),
      now,
      countSlices: () => countSlices(provider),
      publish: (update) => publish({ ...update, provider }),
    });
    this.#shares.set(provider, shares);
    return shares;
  }
}
