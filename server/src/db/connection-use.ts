interface Use {
  /** Milliseconds of the time of all connections together. */
  milliseconds: number;
  at: number;
  running: number;
}

/** Usual work: up to this much at once, and a quarter of the time, costs no place in the queue. */
const free = { milliseconds: 50, share: 0.25 };
/** Counts no more than this, so that a flood has no effect a few seconds after it ends. */
const mostMilliseconds = 1_000;
/** Above this number, people without recent use are removed. */
const peopleAtMost = 1_000;

/** How much each person has used the connections to the database lately. */
export class ConnectionUse {
  readonly #connections: number;
  readonly #people = new Map<string, Use>();

  constructor(connections: number) {
    this.#connections = connections;
  }

  begin(person: string): void {
    if (this.#people.size >= peopleAtMost) this.#removeForgotten();
    this.#present(person).running++;
  }

  end(person: string, milliseconds: number): void {
    const use = this.#present(person);
    use.running--;
    use.milliseconds += milliseconds / this.#connections;
    use.milliseconds = Math.min(use.milliseconds, mostMilliseconds);
  }

  /** The use above the free amount; 0 for most people. */
  excessOf(person: string): number {
    if (!this.#people.has(person)) return 0;
    return Math.max(0, this.#present(person).milliseconds - free.milliseconds);
  }

  /** One person's slow statements leave half of the connections and of the database to others. */
  mayBegin(person: string): boolean {
    const atMost = Math.max(1, Math.floor(this.#connections / 2));
    return (this.#people.get(person)?.running ?? 0) < atMost;
  }

  #present(person: string): Use {
    const now = performance.now();
    const use = this.#people.get(person) ?? { milliseconds: 0, at: now, running: 0 };
    use.milliseconds = Math.max(0, use.milliseconds - free.share * (now - use.at));
    use.at = now;
    this.#people.set(person, use);
    return use;
  }

  #removeForgotten(): void {
    for (const person of this.#people.keys()) {
      const { milliseconds, running } = this.#present(person);
      if (milliseconds === 0 && running === 0) this.#people.delete(person);
    }
  }
}
