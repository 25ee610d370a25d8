export interface Choice<T> {
  isBlocked?: (row: T) => boolean;
  /** The load of a row's tenant. The lowest goes first, equal ones in turn, infinite ones never. */
  loadOf?: (row: T) => number;
}

/** One queue per tenant, served in turn: no tenant waits behind a million rows of another. */
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

  /** Removes and returns the next row, and moves its tenant to the end of the round. */
  next({ isBlocked = () => false, loadOf = () => 0 }: Choice<T> = {}): T | undefined {
    let best: { tenant: string; queue: T[]; index: number } | undefined;
    let lowest = Infinity;
    for (const [tenant, queue] of this.#tenants) {
      const load = loadOf(queue[0] as T);
      if (load >= lowest) continue;
      const index = queue.findIndex((row) => !isBlocked(row));
      if (index < 0) continue;
      best = { tenant, queue, index };
      lowest = load;
    }
    if (!best) return undefined;
    const { tenant, queue, index } = best;
    const row = index === 0 ? queue.shift() : queue.splice(index, 1)[0];
    this.#size--;
    if (queue.length === 0 || this.#tenants.size > 1) this.#tenants.delete(tenant);
    if (queue.length > 0) this.#tenants.set(tenant, queue);
    return row;
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
