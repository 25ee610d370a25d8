import type { Lane, Limits, ProviderLanes } from './provider-lanes.ts';
import { WorkerShares, type WorkerUpdate } from './worker-shares.ts';

interface Parts {
  worker: string;
  lanes: Pick<ProviderLanes, 'all'>;
  /** Also finds lanes that only single prompts have called. */
  limits: Pick<Limits, 'findShared'>;
  now(): number;
  /** Of a key or a lane. */
  countSlices(name: string): number;
  publish(update: WorkerUpdate): void;
}

/** A worker's shares of all provider keys and their lanes. */
export class LaneShares {
  readonly #parts: Parts;
  readonly #shares = new Map<string, WorkerShares>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Announces this worker to the others before it calls the provider. */
  join({ key, name }: Pick<Lane, 'key' | 'name'>): void {
    this.#of(key);
    this.#of(name);
  }

  publishChanges(): void {
    for (const lane of this.#parts.lanes.all) this.join(lane);
    for (const shares of this.#shares.values()) shares.publishChanges();
  }

  onUpdate(update: WorkerUpdate): void {
    this.#of(update.provider).onUpdate(update);
  }

  end(): void {
    for (const shares of this.#shares.values()) shares.end();
  }

  #of(name: string): WorkerShares {
    const known = this.#shares.get(name);
    if (known) return known;
    const { worker, limits, now, countSlices, publish } = this.#parts;
    const shares = new WorkerShares({
      worker,
      // Replaced when the limits of the key are changed.
      limiter: () => limits.findShared(name),
      now,
      countSlices: () => countSlices(name),
      publish: (update) => publish({ ...update, provider: name }),
    });
    this.#shares.set(name, shares);
    return shares;
  }
}
