/** Counts the calls in flight of each person. The person with the fewest calls goes first. */
export class CallsByPerson {
  readonly #inFlight = new Map<string, number>();

  of(person: string): number {
    return this.#inFlight.get(person) ?? 0;
  }

  hasOther(person: string): boolean {
    return this.#inFlight.size > (this.#inFlight.has(person) ? 1 : 0);
  }

  begin(person: string): void {
    this.#inFlight.set(person, this.of(person) + 1);
  }

  end(person: string): void {
    const left = this.of(person) - 1;
    if (left > 0) this.#inFlight.set(person, left);
    else this.#inFlight.delete(person);
  }
}
