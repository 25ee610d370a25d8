const tenths = 10;

/** Counts what has happened in the last second, to a tenth of one. */
export class SlidingWindowCounter {
  readonly #counts = Array.from({ length: tenths }, () => ({
    tenth: Number.NEGATIVE_INFINITY,
    count: 0,
  }));

  add(milliseconds: number): void {
    const tenth = Math.floor(milliseconds / 100);
    const slot = this.#counts[tenth % tenths];
    if (!slot || slot.tenth > tenth) return;
    slot.count = slot.tenth === tenth ? slot.count + 1 : 1;
    slot.tenth = tenth;
  }

  count(nowMilliseconds: number): number {
    const after = Math.floor(nowMilliseconds / 100) - tenths;
    return this.#counts.reduce((sum, { tenth, count }) => (tenth > after ? sum + count : sum), 0);
  }
}
