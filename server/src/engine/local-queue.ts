import type { Emit } from './events.ts';
import type { LeasedRow, LeasedSlice } from './leased-slice.ts';
import { type Choice, RowQueue } from './row-queue.ts';

/** The rows that this process has leased and not sent: those ready to send, and those that wait for a retry. */
export class LocalQueue {
  readonly #emit: Emit;
  readonly #ready = new RowQueue<LeasedRow>();
  readonly #retries = new Map<NodeJS.Timeout, LeasedRow>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  get size(): number {
    return this.#ready.size;
  }

  add(row: LeasedRow): void {
    this.#ready.add(row.slice.userId, row);
  }

  next(choice?: Choice<LeasedRow>): LeasedRow | undefined {
    return this.#ready.next(choice);
  }

  /** A waiting row takes no slot, and queues behind rows that were not tried yet. */
  retryLater(row: LeasedRow, milliseconds: number): void {
    const timer = setTimeout(() => {
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
    return [...this.#ready.take((row) => row.slice === slice), ...waiting.map(([, row]) => row)];
  }
}
