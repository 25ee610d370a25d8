import type { Context } from '../core/context.ts';
import {
  type EndedSlice,
  type FetchedSlice,
  finishSlice,
} from '../domains/batches/slices/lease.ts';
import { sliceQueueName } from '../domains/batches/slices/sizes.ts';
import { monotonicNow } from '../lib/clock.ts';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import type { Emit } from './events.ts';
import type { LeasedRow, LeasedSlice } from './leased-slice.ts';
import type { ProviderLanes } from './limits/provider-lanes.ts';
import type { Lease, SliceSource } from './port.ts';
import { quarantineGroupRows } from './quarantine.ts';

interface Parts {
  source: SliceSource;
  lanes: Pick<ProviderLanes, 'of'>;
  emit: Emit;
}

interface LeasedLane {
  readonly providerKey: string;
  rows: number;
}

/** Ten rows wait for each accepted one in an overload. Leases at most four times as many rows. */
const waitingRowWeight = 0.25;
/** A database restart takes seconds. */
const retryMilliseconds = 1_000;

/** The leased slices of this process: counts their open rows, renews leases and ends them. */
export class Leases {
  readonly #ctx: Context;
  readonly #parts: Parts;
  readonly #slices = new Set<LeasedSlice>();
  readonly #endings = new Set<Promise<void>>();
  #isClosing = false;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  get slices(): readonly LeasedSlice[] {
    return [...this.#slices];
  }

  /** Batches that may still send rows. */
  get activeBatchIds(): string[] {
    const active = this.slices.filter(({ isDraining }) => !isDraining);
    return [...new Set(active.map(({ batchId }) => batchId))];
  }

  /** Rows that are not stored yet. A suspected slice sends one group of rows at a time. */
  get openRows(): number {
    let rows = 0;
    for (const slice of this.#slices) if (!slice.isDraining) rows += openRowsOf(slice);
    return rows;
  }

  /** Open rows by lane. Rows that wait for a retry count less, so others use the slots. */
  get lanes(): ReadonlyMap<string, LeasedLane> {
    const lanes = new Map<string, LeasedLane>();
    for (const slice of this.#slices) {
      if (slice.isDraining) continue;
      const { lane, providerKey } = slice;
      const leased = lanes.get(lane) ?? { providerKey, rows: 0 };
      leased.rows += weightedRowsOf(slice);
      lanes.set(lane, leased);
    }
    return lanes;
  }

  /** The open rows of each person in a lane, counted in the same way. */
  rowsByPerson(lane: string): ReadonlyMap<string, number> {
    const people = new Map<string, number>();
    for (const slice of this.#slices)
      if (!slice.isDraining && slice.lane === lane)
        people.set(slice.userId, (people.get(slice.userId) ?? 0) + weightedRowsOf(slice));
    return people;
  }

  /** Slices whose model was moved to another provider or lane since they were leased. */
  get moved(): LeasedSlice[] {
    const { lanes } = this.#parts;
    return this.slices.filter(({ model, lane }) => lanes.of(model).name !== lane);
  }

  /** Slices of a provider key or lane that may still send rows. */
  countSlices(name: string): number {
    let count = 0;
    for (const { isDraining, lane, providerKey } of this.#slices)
      if (!isDraining && (lane === name || providerKey === name)) count++;
    return count;
  }

  add(lease: Lease, fetched: FetchedSlice): LeasedSlice {
    const { batch, first, rowsAhead, fixedParts, rows, unasked, unread, isSuspected, read } =
      fetched;
    const { key, name: lane } = this.#parts.lanes.of(batch.model);
    const slice: LeasedSlice = {
      lease,
      batchId: batch.id,
      userId: batch.user_id,
      leasedAt: monotonicNow(),
      first,
      model: batch.model,
      providerKey: key,
      lane,
      isModelSetUp: batch.is_model_set_up,
      options: batch.options,
      hasAnswers: batch.answered > 0,
      isPricedBySize: batch.price_tokens !== null,
      finishBy: batch.finish_by?.getTime() ?? null,
      rowsAhead,
      fixedParts,
      abort: new AbortController(),
      openRows: rows.length + unasked.length + unread.length,
      waitingRows: 0,
      isIncomplete: false,
      isDraining: false,
      isEnding: false,
      unusableExcess: 0,
      isSuspected,
      read,
    };
    this.#slices.add(slice);
    this.#endIfDone(slice);
    return slice;
  }

  /** Counts rows that were stored or given up. A slice without open rows ends. */
  close(rows: readonly LeasedRow[]): void {
    for (const { slice, trace } of rows) {
      slice.openRows--;
      trace?.end();
    }
    for (const slice of new Set(rows.map((row) => row.slice))) this.#endIfDone(slice);
  }

  /** Renews all leases and returns the slices whose lease is lost. */
  async renew(): Promise<LeasedSlice[]> {
    const { slices } = this;
    if (slices.length === 0) return [];
    const leases = slices.map(({ lease }) => lease);
    const renewed = new Set(await this.#parts.source.heartbeat(sliceQueueName, leases));
    return slices.filter((slice) => !renewed.has(slice.lease.id) && this.#slices.has(slice));
  }

  /** Aborts all calls in flight. */
  abortAll(): void {
    for (const { abort } of this.#slices) abort.abort();
  }

  /** Returns a slice that could not be read to the queue, when the database can be reached. */
  release(slice: Omit<EndedSlice, 'isComplete'>): void {
    const wait = new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
    this.#whileEnding(wait.then(() => this.#finish({ ...slice, isComplete: false })));
  }

  async whenEnded(): Promise<void> {
    this.#isClosing = true;
    while (this.#endings.size > 0) await Promise.allSettled(this.#endings);
  }

  #endIfDone(slice: LeasedSlice): void {
    if (slice.openRows > 0 || slice.isEnding) return;
    slice.isEnding = true;
    const { batchId, first, lease, isIncomplete, unusableExcess } = slice;
    const ended = { batchId, first, lease, isComplete: !isIncomplete, unusableExcess };
    const finished = this.#finish(ended);
    this.#whileEnding(finished.finally(() => this.#slices.delete(slice)));
  }

  #whileEnding(work: Promise<unknown>): void {
    const ending = work.then(() => {
      this.#endings.delete(ending);
      void this.#parts.emit({ type: 'slice_ended' });
    });
    this.#endings.add(ending);
  }

  /**
   * Repeated while the database cannot be reached: without heartbeats the lease would end later,
   * hold the reservation of a stopped batch until then, and count as a crash.
   */
  async #finish(slice: EndedSlice): Promise<void> {
    const { batchId, first, isComplete } = slice;
    const { log } = this.#ctx;
    for (;;) {
      try {
        await finishSlice(this.#ctx, slice);
        log.debug({ batch: batchId, first }, isComplete ? 'slice ended' : 'slice released');
        return;
      } catch (error) {
        log.error({ err: error, batch: batchId, first }, 'could not end a slice');
        if (this.#isClosing || !(error instanceof ServiceUnavailable)) return;
        await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
      }
    }
  }
}

function openRowsOf({ isSuspected, openRows }: LeasedSlice): number {
  return isSuspected ? Math.min(openRows, quarantineGroupRows) : openRows;
}

function weightedRowsOf(slice: LeasedSlice): number {
  return openRowsOf(slice) - slice.waitingRows * (1 - waitingRowWeight);
}
