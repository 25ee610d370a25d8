import type { Context } from '../core/context.ts';
import { pauseByEngine } from '../domains/batches/lifecycle/engine-pause.ts';
import type { AnswerMarker } from '../domains/batches/marks/answer-marker.ts';
import { recallAnswers } from '../domains/batches/marks/recall-answers.ts';
import { recordCrashes } from '../domains/batches/slices/crashes.ts';
import { fetchSlice, finishSlice } from '../domains/batches/slices/lease.ts';
import {
  firstSlicePriority,
  rowsPerSlice,
  sliceQueueName,
} from '../domains/batches/slices/sizes.ts';
import type { Emit } from './events.ts';
import type { Leases } from './leases.ts';
import type { ProviderLanes } from './limits/provider-lanes.ts';
import type { Lease, SliceSource } from './port.ts';

interface Parts {
  source: SliceSource;
  leases: Leases;
  lanes: ProviderLanes;
  marker: AnswerMarker;
  isOnlyProcess: boolean;
  emit: Emit;
}

interface SliceKey {
  batchId: string;
  first: number;
}

/**
 * For each call in flight two answers may wait for their transaction and two be in one. The rest wait to be sent, for as
 * long as that transaction and the fetch behind it take: with 4, calls at 256 in flight stopped meanwhile.
 */
const rowsPerSlot = 8;
/** Leaves slices for other processes, and reads no more than these before it looks again what is wanted. */
const slicesPerFetch = 4;
/** Above this multiple of the wanted rows, new batches wait too: memory stays bounded when many start at once. */
const overloadFactor = 4;

/**
 * Fetches slices while there is room for their rows. The first slice of a batch is small (16 rows) and is fetched even
 * when there is no room, so that new batches get their first answers while large ones are running.
 */
export class SliceFetcher {
  readonly #ctx: Context;
  readonly #parts: Parts;
  #fetching: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;
  /** The last fetch of slices of any kind found fewer than it asked for. */
  #isQueueEmpty = true;
  /** Batches that changed while a slice was being read: what was read may be outdated. */
  readonly #changedBatches = new Set<string>();
  /** Set while the disk is full. */
  isBlocked = false;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  /** There may be slices. One fetch runs at a time, and is repeated when it was asked for meanwhile. */
  fetch(): void {
    this.#isWanted = true;
    if (this.#isClosed || this.#fetching) return;
    this.#fetching = this.#fetchWhileUseful()
      .catch((error) => this.#ctx.log.error({ err: error }, 'could not fetch slices'))
      .finally(() => {
        this.#fetching = null;
      });
  }

  /** Rows were stored or given up. The rest of their slices may wait long for a retry, so slots would stay unused. */
  refill(): void {
    if (!this.#isQueueEmpty && this.#openRows < this.#wantedRows) this.fetch();
  }

  discardIfReading(batchId: string): void {
    if (this.#fetching) this.#changedBatches.add(batchId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#fetching;
  }

  /** For every provider that this process works for. */
  get #wantedRows(): number {
    const { concurrency } = this.#ctx.config.chat;
    const { lanes } = this.#parts.leases;
    return Math.max(rowsPerSlot * concurrency * Math.max(1, lanes.size), rowsPerSlice);
  }

  /** A provider with more rows than it can take soon does not keep the rows of others away. */
  get #openRows(): number {
    const { lanes } = this.#parts.leases;
    const share = this.#wantedRows / Math.max(1, lanes.size);
    if (lanes.size < 2) return this.#parts.leases.openRows;
    return lanes.values().reduce((sum, rows) => sum + Math.min(rows, share), 0);
  }

  /**
   * While a probe decides, batches of others than the suspect go on. In an outage other processes may still reach the
   * provider. The only process fetches, to pause new batches.
   */
  get #mayFetch(): boolean {
    const { lanes, isOnlyProcess } = this.#parts;
    const isAnyOpen = lanes.all.some(({ breaker }) => breaker.isOpen);
    const isAnyClosed = lanes.all.some(({ breaker }) => !breaker.isOpen);
    return !this.isBlocked && (isOnlyProcess || !isAnyOpen || isAnyClosed);
  }

  async #fetchWhileUseful(): Promise<void> {
    const { leases, source } = this.#parts;
    const wantedRows = this.#wantedRows;
    while (this.#isWanted && !this.#isClosed && this.#mayFetch) {
      this.#isWanted = false;
      const openRows = this.#openRows;
      if (leases.openRows > overloadFactor * wantedRows) return;
      const missingSlices = Math.ceil((wantedRows - openRows) / rowsPerSlice);
      const isFull = missingSlices <= 0;
      const count = Math.min(Math.max(1, missingSlices), slicesPerFetch);
      const jobs = await source.fetch(sliceQueueName, {
        count,
        ...(isFull ? { minPriority: firstSlicePriority } : {}),
      });
      for (const { id, retryCount, data } of jobs) {
        const { batch_id: batchId, first } = data as { batch_id: string; first: number };
        await this.#lease({ id, retryCount }, { batchId, first });
      }
      const isExhausted = jobs.length < count;
      if (!isFull) this.#isQueueEmpty = isExhausted;
      // First slices have the highest priority, so a full slice means that no first slice is left.
      const isSatisfied = this.#openRows >= wantedRows && this.#openRows - openRows >= rowsPerSlice;
      if (!isExhausted && !isSatisfied) this.#isWanted = true;
    }
  }

  async #lease(lease: Lease, slice: SliceKey): Promise<void> {
    const { batchId, first } = slice;
    this.#changedBatches.clear();
    // Leased before and not ended, so its process crashed. The only process counts crashes at its start instead.
    if (lease.retryCount > 0) await recordCrashes(this.#ctx, [slice]);
    const fetched = await fetchSlice(this.#ctx, slice);
    if (fetched) await recallAnswers(this.#ctx, this.#parts.marker, fetched);
    this.#ctx.passFaultPoint?.('after-lease');
    const isPaused = fetched !== null && (await this.#pauseIfDown(fetched.batch));
    if (fetched && !isPaused && !this.#changedBatches.has(batchId)) {
      await this.#parts.emit({ type: 'slice_leased', lease, fetched });
      return;
    }
    await finishSlice(this.#ctx, { ...slice, lease, isComplete: false });
    this.#ctx.log.debug({ batch: batchId, first }, 'slice released unread');
  }

  async #pauseIfDown({ id: batchId, model }: { id: string; model: string }): Promise<boolean> {
    const { breaker } = this.#parts.lanes.of(model);
    if (!breaker.isOpen) return false;
    const detail = breaker.problem;
    await pauseByEngine(this.#ctx, { batchId, reason: 'provider_down', detail });
    return true;
  }
}
