import type { Emit } from './events.ts';
import type { LeasedRow, LeasedSlice } from './leased-slice.ts';
import { type Choice, RowQueue } from './row-queue.ts';

/** Rows that are ready to send with one provider key, and how many of each lane. */
interface Ready {
  readonly rows: RowQueue<LeasedRow>;
  readonly byLane: Map<string, number>;
}

/** Leased rows that are not sent: those ready to send, and those that wait for a retry. */
export class LocalQueue {
  readonly #emit: Emit;
  /** By provider key, so that rows of one that is held up are not looked at for another. */
  readonly #ready = new Map<string, Ready>();
  readonly #retries = new Map<NodeJS.Timeout, LeasedRow>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** The provider keys that rows were ready for. */
  get keys(): Iterable<string> {
    return this.#ready.keys();
  }

  /** The lanes of a key that rows are ready for. */
  lanesOf(key: string): string[] {
    return [...(this.#ready.get(key)?.byLane.keys() ?? [])];
  }

  sizeOf({ key, name }: { key: string; name: string }): number {
    return this.#ready.get(key)?.byLane.get(name) ?? 0;
  }

  add(row: LeasedRow): void {
    const { batchId, lane, providerKey, userId } = row.slice;
    const ready = this.#ready.get(providerKey) ?? { rows: new RowQueue(), byLane: new Map() };
    this.#ready.set(providerKey, ready);
    ready.rows.add({ tenant: `${userId} ${lane}`, list: batchId }, row);
    count(ready, row, 1);
  }

  next(key: string, choice?: Choice<LeasedRow>): LeasedRow | undefined {
    const ready = this.#ready.get(key);
    const row = ready?.rows.next(choice);
    if (ready && row) count(ready, row, -1);
    return row;
  }

  /** A waiting row takes no slot, and queues behind rows that were not tried yet. */
  retryLater(row: LeasedRow, milliseconds: number): void {
    row.slice.waitingRows++;
    const timer = setTimeout(() => {
      row.slice.waitingRows--;
      this.#retries.delete(timer);
      void this.#emit({ type: 'retry_due', row });
    }, milliseconds);
    this.#retries.set(timer, row);
  }

  /** Removes and returns the rows of a slice. */
  take(slice: LeasedSlice): LeasedRow[] {
    const waiting = [...this.#retries].filter(([, row]) => row.slice === slice);
    for (const [timer] of waiting) {
      clearTimeout(timer);
      this.#retries.delete(timer);
    }
    slice.waitingRows -= waiting.length;
    const ready = [...this.#ready.values()].flatMap((each) => {
      const taken = each.rows.take((row) => row.slice === slice);
      for (const row of taken) count(each, row, -1);
      return taken;
    });
    return [...ready, ...waiting.map(([, row]) => row)];
  }
}

function count({ byLane }: Ready, { slice: { lane } }: LeasedRow, change: 1 | -1): void {
  const rows = (byLane.get(lane) ?? 0) + change;
  if (rows > 0) byLane.set(lane, rows);
  else byLane.delete(lane);
}
