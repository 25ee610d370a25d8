import { randomFrom } from '../../../fakes/random.ts';

/** Random choices that repeat for the same seed. */
export class Random {
  /** From 0 inclusive to 1 exclusive. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
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
