/** One queue per tenant, served round-robin: a tenant with a few rows does not wait behind a million rows of another. */
export class RowQueue<T> {
  readonly #tenants = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(tenant: string, row: T): void {
    const queue = this.#tenants.get(tenant);
    if (queue) queue.push(row);
    else this.#tenants.set(tenant, [row]);
    this.#size++;
  }

  /** Removes and returns the next row that is not blocked, and moves its tenant to the end of the round. */
  next(isBlocked: (row: T) => boolean = () => false): T | undefined {
    for (const [tenant, queue] of this.#tenants) {
      const index = queue.findIndex((row) => !isBlocked(row));
      if (index < 0) continue;
      const row = index === 0 ? queue.shift() : queue.splice(index, 1)[0];
      this.#size--;
      this.#tenants.delete(tenant);
      if (queue.length > 0) this.#tenants.set(tenant, queue);
      return row;
    }
    return undefined;
  }

  /** Removes and returns all rows that match. */
  take(matches: (row: T) => boolean): T[] {
    const taken: T[] = [];
    for (const [tenant, queue] of this.#tenants) {
      const left = queue.filter((row) => !matches(row));
      taken.push(...queue.filter(matches));
      if (left.length > 0) this.#tenants.set(tenant, left);
      else this.#tenants.delete(tenant);
    }
    this.#size -= taken.length;
    return taken;
  }
}
