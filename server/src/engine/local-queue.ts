import type { Context } from '../core/context.ts';
import { record } from '../core/events.ts';
import type { FetchedSlice } from '../domains/batches/slices/lease.ts';
import { endSlice } from '../domains/batches/slices/lease.ts';
import { type LeasedRow, type LeasedSlice, newRow } from './leased-slice.ts';
import type { Claim } from './port.ts';
import { Quarantine, trialRows } from './quarantine.ts';
import { RowQueue } from './row-queue.ts';

/** A stopped batch lets its calls in flight end within this time, and then gives them up. */
const stopGraceMilliseconds = 5_000;

interface Parts {
  /** Some rows have left, answered or given up. */
  onSettled: () => void;
  /** A slice has left, and its batch has queued another in its place. */
  onSliceEnded: () => void;
  /** There may be something to send. */
  onSendable: () => void;
}

/**
 * What this process holds: slices, and of their rows those that wait for a place or for another try. Every row leaves it
 * once, settled or given up; with its last row a slice ends.
 */
export class LocalQueue {
  readonly #ctx: Context;
  readonly #parts: Parts;
  readonly #slices = new Set<LeasedSlice>();
  readonly #rows = new RowQueue<LeasedRow>();
  readonly #retries = new Map<NodeJS.Timeout, LeasedRow>();
  readonly #ends = new Set<Promise<void>>();
  readonly trials: Quarantine;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
    this.trials = new Quarantine(ctx, {
      onFree: (rows) => this.#free(rows),
      onChange: () => parts.onSendable(),
    });
  }

  get claims(): Claim[] {
    return [...this.#slices].map(({ claim }) => claim);
  }

  /** Batches of which rows may still be sent. */
  get batchIds(): string[] {
    return [
      ...new Set([...this.#slices].filter(({ isOver }) => !isOver).map(({ batchId }) => batchId)),
    ];
  }

  /** Rows that are still to be asked and settled. */
  get openRows(): number {
    let rows = 0;
    for (const slice of this.#slices)
      if (!slice.isOver) rows += slice.isSuspected ? Math.min(slice.open, trialRows) : slice.open;
    return rows;
  }

  add(
    claim: Claim,
    { batch, first, rows, unasked, isSuspected, crashCounts }: FetchedSlice,
  ): LeasedSlice {
    const slice = {
      claim,
      batchId: batch.id,
      userId: batch.user_id,
      first,
      model: batch.model,
      options: batch.options,
      abort: new AbortController(),
      open: rows.length + unasked.length,
      isCut: false,
      isOver: false,
      isEnding: false,
      isSuspected,
    };
    this.#slices.add(slice);
    if (isSuspected)
      this.trials.add(
        rows.map(({ row, prompt }) => ({
          ...newRow(slice, row, prompt),
          crashCounts: crashCounts[row] ?? 0,
        })),
      );
    else
      for (const { row, prompt } of rows) this.#rows.add(slice.userId, newRow(slice, row, prompt));
    this.#endIfDone(slice);
    return slice;
  }

  next(): LeasedRow | undefined {
    return this.trials.isAlone ? this.trials.next() : this.#rows.next();
  }

  get isEmpty(): boolean {
    return this.trials.isAlone ? !this.trials.isReady : this.#rows.size === 0;
  }

  /** The row holds no place while it waits, and then stands behind those that were not tried yet. */
  retryLater(held: LeasedRow, milliseconds: number, onDue: () => void): void {
    if (held.slice.isOver) {
      this.giveUp([held]);
      return;
    }
    if (held.slice.isSuspected) this.trials.putOff(held);
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      if (held.slice.isSuspected) this.trials.add([held]);
      else this.#rows.add(held.slice.userId, held);
      onDue();
    }, milliseconds);
    this.#retries.set(timer, held);
  }

  settled(rows: readonly LeasedRow[]): void {
    for (const { slice } of rows) slice.open--;
    for (const held of rows) if (held.slice.isSuspected) this.trials.left(held);
    for (const slice of new Set(rows.map((held) => held.slice))) this.#endIfDone(slice);
    this.#parts.onSettled();
  }

  giveUp(rows: readonly LeasedRow[]): void {
    for (const { slice } of rows) slice.isCut = true;
    this.settled(rows);
  }

  /** What of a batch waits is given up; what is in flight goes on to its end, or for a while when the batch was stopped. */
  stopSending(batchId: string, { isStopped }: { isStopped: boolean }): void {
    for (const slice of this.#slices) {
      if (slice.batchId !== batchId) continue;
      this.#stopSlice(slice);
      if (isStopped) setTimeout(() => slice.abort.abort(), stopGraceMilliseconds).unref();
    }
  }

  /** Slices that the queue has given to somebody else: what is in flight may end, and nothing more is sent. */
  letGo(isLost: (claim: Claim) => boolean): void {
    for (const slice of this.#slices) if (isLost(slice.claim)) this.#stopSlice(slice);
  }

  stopAll(): void {
    for (const slice of this.#slices) this.#stopSlice(slice);
  }

  abortAll(): void {
    for (const slice of this.#slices) slice.abort.abort();
  }

  /** Every slice that has no open row has ended. */
  async whenEnded(): Promise<void> {
    while (this.#ends.size > 0) await Promise.allSettled(this.#ends);
  }

  #stopSlice(slice: LeasedSlice): void {
    if (slice.isOver) return;
    slice.isOver = true;
    const waiting = [...this.#retries].filter(([, held]) => held.slice === slice);
    for (const [timer] of waiting) {
      clearTimeout(timer);
      this.#retries.delete(timer);
    }
    const rows = [
      ...this.#rows.take((held) => held.slice === slice),
      ...this.trials.take(slice),
      ...waiting.map(([, held]) => held),
    ];
    if (rows.length > 0)
      record(this.#ctx, 'rows_dropped', { batch: slice.batchId, rows: rows.length });
    this.giveUp(rows);
  }

  /** The batch may have ended while the trial of these was written down. */
  #free(rows: readonly LeasedRow[]): void {
    for (const held of rows) {
      if (held.slice.isOver) this.giveUp([held]);
      else this.#rows.add(held.slice.userId, held);
    }
    this.#parts.onSendable();
  }

  #endIfDone(slice: LeasedSlice): void {
    if (slice.open > 0 || slice.isEnding) return;
    slice.isEnding = true;
    const { batchId, first, claim, isCut } = slice;
    const end = endSlice(this.#ctx, { batchId, first, claim, isComplete: !isCut })
      // The queue gives the slice to somebody else when its heartbeat is missed.
      .catch((error) =>
        this.#ctx.log.error({ err: error, batch: batchId }, 'a slice could not be ended'),
      )
      .finally(() => {
        this.#slices.delete(slice);
        this.#ends.delete(end);
        this.#parts.onSliceEnded();
      });
    this.#ends.add(end);
  }
}
