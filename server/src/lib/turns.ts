export interface TurnBounds {
  /** Pieces of work of one person that run at once. */
  perPerson: number;
  /** Pieces of work of all people together that run at once; without it only `perPerson` counts. */
  total?: number;
  /** Pieces of work of one person that wait; a further one is refused. Without it all wait. */
  waiting?: number;
}

/** The work must not start: too much of this person waits, or they no longer want it. */
export class TurnRefused extends Error {
  override name = 'TurnRefused';
}

/** Ends a turn. Calling it again does nothing. */
export type EndTurn = () => void;

interface Waiting {
  person: string;
  begin: () => void;
}

/**
 * Bounds how much work of one person runs at once. Work above the bound waits, and free places go
 * round the waiting people, so that one person's long queue stops no one else.
 */
export class Turns {
  readonly #bounds: Required<TurnBounds>;
  readonly #running = new Map<string, number>();
  /** Its order is the order of turns: a person whose work begins moves to the end. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  constructor({ perPerson, total = Infinity, waiting = Infinity }: TurnBounds) {
    this.#bounds = { perPerson, total, waiting };
  }

  /** Resolves with the function that ends the turn. An aborted signal gives up the place. */
  async take(person: string, signal?: AbortSignal): Promise<EndTurn> {
    if (signal?.aborted) throw new TurnRefused();
    const end = this.takeNow(person);
    if (end) return end;
    const queue = this.#waiting.get(person) ?? [];
    if (queue.length >= this.#bounds.waiting) throw new TurnRefused();
    const { promise, resolve, reject } = Promise.withResolvers<EndTurn>();
    const one: Waiting = { person, begin: () => resolve(this.#begin(person)) };
    this.#waiting.set(person, [...queue, one]);
    signal?.addEventListener('abort', () => {
      this.#remove(one);
      reject(new TurnRefused());
    });
    return promise;
  }

  /** Null: the person would have to wait. */
  takeNow(person: string): EndTurn | null {
    const mayBegin = !this.#waiting.has(person) && this.#hasPlaceFor(person);
    return mayBegin ? this.#begin(person) : null;
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** The work may end its turn before it ends itself. */
  async run<T>(
    person: string,
    work: (end: EndTurn) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const end = await this.take(person, signal);
    try {
      return await work(end);
    } finally {
      end();
    }
  }

  #hasPlaceFor(person: string): boolean {
    return (
      this.#total < this.#bounds.total && (this.#running.get(person) ?? 0) < this.#bounds.perPerson
    );
  }

  #begin(person: string): EndTurn {
    this.#count(person, 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#count(person, -1);
      this.#beginNext();
    };
  }

  #count(person: string, change: 1 | -1): void {
    this.#total += change;
    const running = (this.#running.get(person) ?? 0) + change;
    if (running === 0) this.#running.delete(person);
    else this.#running.set(person, running);
  }

  #beginNext(): void {
    for (const [person, [first]] of this.#waiting) {
      if (!first || !this.#hasPlaceFor(person)) continue;
      this.#remove(first);
      first.begin();
      return;
    }
  }

  #remove(one: Waiting): void {
    const queue = this.#waiting.get(one.person) ?? [];
    const others = queue.filter((other) => other !== one);
    this.#waiting.delete(one.person);
    if (others.length > 0) this.#waiting.set(one.person, others);
  }
}
