/** Of the slots, this part stays free for others while they have work. */
const freePart = 1 / 8;
/** Somebody whose rows were sent within this may come back with more. */
const returnsWithinMilliseconds = 5 * 60_000;

/**
 * Calls in flight by person. A person alone may use all slots. When others were at work lately, an eighth stays free of any
 * one person's calls, so that the first rows of a small batch do not wait until long calls of a large one end.
 */
export class CallsByPerson {
  readonly #now: () => number;
  readonly #inFlight = new Map<string, number>();
  /** When a row of each was sent last, in that order. */
  readonly #sentAt = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  of(person: string): number {
    return this.#inFlight.get(person) ?? 0;
  }

  begin(person: string): void {
    this.#inFlight.set(person, this.of(person) + 1);
    this.#sentAt.delete(person);
    this.#sentAt.set(person, this.#now());
  }

  end(person: string): void {
    const left = this.of(person) - 1;
    if (left > 0) this.#inFlight.set(person, left);
    else this.#inFlight.delete(person);
  }

  /** How many calls of the person may be in flight. */
  atMost(person: string, slots: number): number {
    this.#forgetOld();
    const others = this.#sentAt.size - (this.#sentAt.has(person) ? 1 : 0);
    return others > 0 ? slots - Math.floor(slots * freePart) : slots;
  }

  #forgetOld(): void {
    const since = this.#now() - returnsWithinMilliseconds;
    for (const [person, at] of this.#sentAt) {
      if (at >= since) return;
      this.#sentAt.delete(person);
    }
  }
}
