const slotMilliseconds = 100;
/** Ten seconds. */
const maxSlots = 100;
/** A second is looked at, or longer until this many calls are found. */
const enoughCalls = 20;
/** A rate is not computed from a shorter time; with few calls, from a longer one. */
const shortest = { milliseconds: 100, withFewCalls: 200 };

/** Counts the calls that the provider let in, by when they were sent. */
export class LetInCounter {
  #slots: { index: number; calls: number }[] = [];

  add(sentAt: number): void {
    const index = Math.floor(sentAt / slotMilliseconds);
    const last = this.#slots.at(-1);
    if (last && last.index >= index) {
      last.calls++;
      return;
    }
    this.#slots.push({ index, calls: 1 });
    if (this.#slots.length > maxSlots) this.#slots.shift();
  }

  /** Calls per second until now, none of them from before `since`. At least one call, which may still be under way. */
  perSecond(now: number, since: number): number {
    const current = Math.floor(now / slotMilliseconds);
    let calls = 0;
    let from = now;
    for (const slot of this.#slots.toReversed()) {
      if ((slot.index + 1) * slotMilliseconds < since) break;
      if (slot.index <= current - 1_000 / slotMilliseconds && calls >= enoughCalls) break;
      calls += slot.calls;
      from = slot.index * slotMilliseconds;
    }
    const least = calls < enoughCalls ? shortest.withFewCalls : shortest.milliseconds;
    return (Math.max(1, calls) * 1_000) / Math.max(least, now - Math.max(since, from));
  }
}
