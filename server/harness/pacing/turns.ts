import { CallsByPerson } from '../../src/engine/limits/calls-by-person.ts';
import type { ConcurrencyLimiter } from '../../src/engine/limits/concurrency-limiter.ts';

/** Decides whose call is sent next: of the person with the fewest in flight, and then in turn. */
export class Turns {
  readonly #people: string[];
  readonly #inFlight = new CallsByPerson();

  constructor(people: number) {
    this.#people = Array.from({ length: people }, (_, index) => `person ${index}`);
  }

  /** Begins a call, unless no one may send one. */
  next(limiter: Pick<ConcurrencyLimiter, 'mayCallFor'>): string | undefined {
    const [next] = this.#people
      .filter((person) => limiter.mayCallFor(person))
      .sort((one, other) => this.#inFlight.of(one) - this.#inFlight.of(other));
    if (next === undefined) return undefined;
    this.#people.splice(this.#people.indexOf(next), 1);
    this.#people.push(next);
    this.#inFlight.begin(next);
    return next;
  }

  end(person: string): void {
    this.#inFlight.end(person);
  }
}
