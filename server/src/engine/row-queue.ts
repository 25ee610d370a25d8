/** Whose row it is. The rows of a tenant come in several lists, such as batches. */
export interface Place {
  tenant: string;
  list: string;
}

export interface Choice<T> {
  isBlocked?: (row: T) => boolean;
  /** The load of a row's tenant. The lowest goes first, equal ones in turn, infinite ones never. */
  loadOf?: (row: T) => number;
}

type Lists<T> = Map<string, T[]>;

/**
 * Serves the tenants in turn, and the lists of each tenant in turn: no one waits behind a million
 * rows of another, and no small list behind a long one.
 */
export class RowQueue<T> {
  readonly #tenants = new Map<string, Lists<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ tenant, list }: Place, row: T): void {
    const lists = this.#tenants.get(tenant) ?? new Map<string, T[]>();
    const rows = lists.get(list);
    if (rows) rows.push(row);
    else lists.set(list, [row]);
    this.#tenants.set(tenant, lists);
    this.#size++;
  }

  /** Removes and returns the next row. Its tenant and its list go to the end of the round. */
  next({ isBlocked = () => false, loadOf = () => 0 }: Choice<T> = {}): T | undefined {
    let best: { tenant: string; list: string; index: number } | undefined;
    let lowest = Infinity;
    for (const [tenant, lists] of this.#tenants) {
      const [[first] = []] = lists.values();
      const load = loadOf(first as T);
      if (load >= lowest) continue;
      const found = findOpen(lists, isBlocked);
      if (!found) continue;
      best = { tenant, ...found };
      lowest = load;
    }
    return best && this.#remove(best);
  }

  /** Removes and returns all rows that match. */
  take(matches: (row: T) => boolean): T[] {
    const taken: T[] = [];
    for (const [tenant, lists] of this.#tenants) {
      for (const [list, rows] of lists) {
        taken.push(...rows.filter(matches));
        const left = rows.filter((row) => !matches(row));
        if (left.length > 0) lists.set(list, left);
        else lists.delete(list);
      }
      if (lists.size === 0) this.#tenants.delete(tenant);
    }
    this.#size -= taken.length;
    return taken;
  }

  #remove({ tenant, list, index }: Place & { index: number }): T | undefined {
    const lists = this.#tenants.get(tenant) as Lists<T>;
    const rows = lists.get(list) as T[];
    const row = index === 0 ? rows.shift() : rows.splice(index, 1)[0];
    this.#size--;
    if (rows.length === 0 || lists.size > 1) lists.delete(list);
    if (rows.length > 0) lists.set(list, rows);
    if (lists.size === 0 || this.#tenants.size > 1) this.#tenants.delete(tenant);
    if (lists.size > 0) this.#tenants.set(tenant, lists);
    return row;
  }
}

function findOpen<T>(lists: Lists<T>, isBlocked: (row: T) => boolean) {
  for (const [list, rows] of lists) {
    const index = rows.findIndex((row) => !isBlocked(row));
    if (index >= 0) return { list, index };
  }
  return undefined;
}
