import { CallsByPerson } from './calls-by-person.ts';

/** More refusals in a row of one person show no limit. */
export const mostRefusedAlone = 6;
/** Later calls of that person only test whether they are accepted again. */
const testMilliseconds = 1_000;

/**
 * Finds a person who alone is refused, while calls of others are in flight: that person's prompts
 * may be at fault, and slow no one else.
 */
export class RefusedPerson {
  readonly #inFlight = new CallsByPerson();
  /** Refusals in a row, without an accepted call of anyone between them. */
  #refused = 0;
  #person = '';
  #isOfOne = true;
  /** When that person's last call was sent. */
  #sentAt = 0;

  begin(person: string, now: number): void {
    this.#inFlight.begin(person);
    if (person === this.#person) this.#sentAt = now;
  }

  end(person: string): void {
    this.#inFlight.end(person);
  }

  /** Counts a call, in the order of sending. Returns the refusals in a row of one person, or 0. */
  note({ person, isRefused }: { person: string; isRefused: boolean }): number {
    if (!isRefused) {
      this.#refused = 0;
      return 0;
    }
    this.#isOfOne = this.#refused === 0 || (this.#isOfOne && person === this.#person);
    this.#person = person;
    this.#refused++;
    return this.#isAlone(person) ? this.#refused : 0;
  }

  mayCall(person: string, now: number): boolean {
    if (this.#refused <= mostRefusedAlone || !this.#isAlone(person)) return true;
    return now >= this.#sentAt + testMilliseconds;
  }

  #isAlone(person: string): boolean {
    return this.#isOfOne && person === this.#person && this.#inFlight.hasOther(person);
  }
}
