/** Random numbers that repeat for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 inclusive to 1 exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  /** At least one item, in their order. */
  some<T>(items: readonly T[]): T[] {
    const share = this.next();
    const chosen = items.filter(() => this.next() < share);
    const one = this.pick(items);
    return chosen.length === 0 && one !== undefined ? [one] : chosen;
  }

  seed(): number {
    return this.below(2 ** 32);
  }
}
