const slots = 10;
const slotMilliseconds = 100;

/** Counts what happened in the last second, to a tenth of a second. */
export class SlidingWindowCounter {
  readonly #slots = Array.from({ length: slots }, () => ({
    index: Number.NEGATIVE_INFINITY,
    count: 0,
  }));

  add(milliseconds: number): void {
    const index = Math.floor(milliseconds / slotMilliseconds);
    const slot = this.#slots[index % slots];
    if (!slot || slot.index > index) return;
    slot.count = slot.index === index ? slot.count + 1 : 1;
    slot.index = index;
  }

  count(nowMilliseconds: number): number {
    const oldest = Math.floor(nowMilliseconds / slotMilliseconds) - slots;
    return this.#slots.reduce((sum, { index, count }) => (index > oldest ? sum + count : sum), 0);
  }
}
