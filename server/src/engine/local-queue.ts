import type { Emit } from './events.ts';
import type { LeasedRow, LeasedSlice } from './leased-slice.ts';
import { type Choice, RowQueue } from './row-queue.ts';

/** Leased rows that are not sent: those ready to send, and those that wait for a retry. */
export class LocalQueue {
  readonly #emit: Emit;
  /** By provider key, so that rows of one that is held up are not looked at for another. */
  readonly #ready = new Map<string, RowQueue<LeasedRow>>();
  readonly #retries = new Map<NodeJS.Timeout, LeasedRow>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** The provider keys that rows were ready for. */
  get lanes(): Iterable<string> {
    return this.#ready.keys();
  }

  sizeOf(lane: string): number {
    return this.#ready.get(lane)?.size ?? 0;
  }

  add(row: LeasedRow): void {
    const { lane } = row.slice;
    const queue = this.#ready.get(lane) ?? new RowQueue<LeasedRow>();
    this.#ready.set(lane, queue);
    queue.add(row.slice.userId, row);
  }

  next(lane: string, choice?: Choice<LeasedRow>): LeasedRow | undefined {
    return this.#ready.get(lane)?.next(choice);
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
    const ready = [...this.#ready.values()].flatMap((queue) =>
      queue.take((row) => row.slice === slice),
    );
    return [...ready, ...waiting.map(([, row]) => row)];
  }
}
