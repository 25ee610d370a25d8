/**
 * A person's transactions are due after this time since the last ones of theirs, so that they see
 * progress four times a second. A transaction costs as much as 30 results in it.
 */
const intervalMilliseconds = 250;
/** The first result after a quiet time waits only for those that arrive together with it. */
const quietWaitMilliseconds = 5;

/** Results that wait for their transactions, by person: no one waits for the time of another. */
export class PendingResults<T> {
  readonly #people = new Map<string, { dueAt: number; results: T[] }>();
  /** When the last transactions of a person began. */
  readonly #startedAt = new Map<string, number>();
  #count = 0;
  #dueAt = Number.POSITIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  /** When the first results are due; infinite without any. */
  get dueAt(): number {
    return this.#dueAt;
  }

  add(person: string, results: readonly T[], now: number): void {
    this.#count += results.length;
    const pending = this.#people.get(person);
    if (pending) {
      pending.results.push(...results);
      return;
    }
    const dueAt = this.#dueFrom(person, now);
    this.#people.set(person, { dueAt, results: [...results] });
    this.#dueAt = Math.min(this.#dueAt, dueAt);
  }

  #dueFrom(person: string, now: number): number {
    const startedAt = this.#startedAt.get(person) ?? Number.NEGATIVE_INFINITY;
    return Math.max(now + quietWaitMilliseconds, startedAt + intervalMilliseconds);
  }

  /** Removes and returns the results that are due by then. */
  take(dueBy: number, now: number): T[] {
    for (const [person, startedAt] of this.#startedAt)
      if (startedAt <= now - intervalMilliseconds) this.#startedAt.delete(person);
    const due = [...this.#people].filter(([, { dueAt }]) => dueAt <= dueBy);
    for (const [person, { results }] of due) {
      this.#people.delete(person);
      this.#startedAt.set(person, now);
      this.#count -= results.length;
    }
    this.#dueAt = Math.min(...this.#people.values().map(({ dueAt }) => dueAt));
    return due.flatMap(([, { results }]) => results);
  }
}
