interface Bounds {
  entries: number;
  size: number;
}

/** Drops the least recently used values first. */
export class LruCache<V> {
  readonly #bounds: Bounds;
  readonly #sizeOf: (value: V) => number;
  readonly #values = new Map<string, V>();

  constructor(bounds: Bounds, sizeOf: (value: V) => number) {
    this.#bounds = bounds;
    this.#sizeOf = sizeOf;
  }

  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  set(key: string, value: V): void {
    this.#values.set(key, value);
    let total = 0;
    for (const value of this.#values.values()) total += this.#sizeOf(value);
    for (const [oldest, value] of this.#values) {
      if (total <= this.#bounds.size && this.#values.size <= this.#bounds.entries) break;
      this.#values.delete(oldest);
      total -= this.#sizeOf(value);
    }
  }
}
