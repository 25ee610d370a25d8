/** Rows that wait for a place, a line for each customer; the lines are served in turn, so that nobody waits behind a million rows of another. */
export class RowQueue<T> {
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(customer: string, row: T): void {
    const line = this.#lines.get(customer);
    if (line) line.push(row);
    else this.#lines.set(customer, [row]);
    this.#size++;
  }

  /** The next row; its customer goes to the end of the round. */
  next(): T | undefined {
    const [first] = this.#lines;
    if (!first) return undefined;
    const [customer, line] = first;
    const row = line.shift();
    this.#size--;
    this.#lines.delete(customer);
    if (line.length > 0) this.#lines.set(customer, line);
    return row;
  }

  /** Takes out the rows that a test finds, and gives them back. */
  take(test: (row: T) => boolean): T[] {
    const taken: T[] = [];
    for (const [customer, line] of this.#lines) {
      const left = line.filter((row) => !test(row));
      taken.push(...line.filter(test));
      if (left.length > 0) this.#lines.set(customer, left);
      else this.#lines.delete(customer);
    }
    this.#size -= taken.length;
    return taken;
  }
}
