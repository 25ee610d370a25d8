interface Seen {
  person: string;
  at: number;
}

/** When something last happened to a call of a person, and before that to one of another person. */
export class LatestPeople {
  #last: Seen | null = null;
  #before: Seen | null = null;

  note(person: string, at: number): void {
    if (this.#last?.person !== person) this.#before = this.#last;
    this.#last = { person, at };
  }

  /** Whether it happened to a call of anyone else since then. */
  includesOther(person: string, since: number): boolean {
    const other = this.#last?.person === person ? this.#before : this.#last;
    return other !== null && other.at >= since;
  }
}
