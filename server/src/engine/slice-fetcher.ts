import type { Context } from '../core/context.ts';
import { pauseByEngine } from '../domains/batches/lifecycle/engine-pause.ts';
import type { AnswerMarker } from '../domains/batches/marks/answer-marker.ts';
import { markedBatch, recallAnswers } from '../domains/batches/marks/recall-answers.ts';
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
/** Fetches a few slices at a time: the others stay for other processes, and the wanted rows may change meanwhile. */
const slicesPerFetch = 4;
/** Above this multiple of its wanted rows, new batches of a provider wait too: memory stays bounded when many start at once. */
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
  /** When the last fetch found fewer slices than it asked for: the lanes that it left out. Only these may have more. */
  #leftOut: readonly string[] | null = [];
  /** Batches that changed while a slice was being read: what was read may be outdated. */
  readonly #changedBatches = new Set<string>();
  /** Set while the disk is full. */
  isBlocked = false;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  /** Fetches slices, if there are any. One fetch runs at a time; a request during a fetch repeats it. */
  fetch(): void {
    this.#isWanted = true;
    if (this.#isClosed || this.#fetching) return;
    this.#fetching = this.#fetchWhileUseful()
      .catch((error) => this.#ctx.log.error({ err: error }, 'could not fetch slices'))
      .finally(() => {
        this.#fetching = null;
      });
  }

  /** Rows were stored, given up or put off. The others of their slices may wait long, so slots would stay unused. */
  refill(): void {
    const lanes = this.#leftOut ?? [...this.#parts.leases.lanes.keys()];
    if (lanes.some((lane) => this.#missingRows(lane) > 0)) this.fetch();
  }

  discardIfReading(batchId: string): void {
    if (this.#fetching) this.#changedBatches.add(batchId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#fetching;
  }

  #missingRows(lane: string): number {
    return this.#wantedRows(lane) - (this.#parts.leases.lanes.get(lane) ?? 0);
  }

  /** `lane` is empty for a provider that is not known yet. */
  #wantedRows(lane = ''): number {
    const { concurrency } = this.#ctx.models.limitsOf(lane);
    return Math.max(rowsPerSlot * concurrency, rowsPerSlice);
  }

  /** Provider keys that have this many times the rows that they want, or more. */
  #fullLanes(times = 1): string[] {
    const lanes = [...this.#parts.leases.lanes];
    return lanes.flatMap(([lane, rows]) => (rows >= times * this.#wantedRows(lane) ? [lane] : []));
  }

  /** In an outage other processes may still reach the provider. The only process fetches, to pause new batches. */
  get #lanesDown(): string[] {
    const { lanes, isOnlyProcess } = this.#parts;
    if (isOnlyProcess) return [];
    return lanes.all.flatMap(({ key, breaker }) => (breaker.isOpen ? [key] : []));
  }

  /** Slices of a provider with enough rows stay in the queue, and delay no slices of other providers. */
  async #fetchWhileUseful(): Promise<void> {
    const { leases } = this.#parts;
    while (this.#isWanted && !this.#isClosed && !this.isBlocked) {
      this.#isWanted = false;
      const rows = leases.openRows;
      const full = this.#fullLanes();
      const count = this.#wantedSlices;
      const found = await this.#fetchPast(full, { count });
      this.#leftOut = found < count ? full : null;
      // First slices have the highest priority, so a full slice means that no first slice is left.
      const isSatisfied =
        leases.openRows - rows >= rowsPerSlice && this.#fullLanes().length === leases.lanes.size;
      if (full.length === 0 && isSatisfied) return;
      if (found === count || (full.length > 0 && (await this.#fetchFirstSlice())))
        this.#isWanted = true;
    }
  }

  get #wantedSlices(): number {
    const lanes = [...this.#parts.leases.lanes.keys()];
    const missing = lanes.reduce((sum, lane) => sum + Math.max(0, this.#missingRows(lane)), 0);
    const slices = (lanes.length === 0 ? this.#wantedRows() : missing) / rowsPerSlice;
    return Math.min(Math.max(1, Math.ceil(slices)), slicesPerFetch);
  }

  /** Fetches a first slice, even of a provider that has enough rows. */
  async #fetchFirstSlice(): Promise<boolean> {
    const wanted = { count: 1, minPriority: firstSlicePriority };
    return (await this.#fetchPast(this.#fullLanes(overloadFactor), wanted)) > 0;
  }

  /** Leases slices of other lanes than these, and returns how many were found. */
  async #fetchPast(
    lanes: readonly string[],
    wanted: { count: number; minPriority?: number },
  ): Promise<number> {
    const jobs = await this.#parts.source.fetch(sliceQueueName, {
      ...wanted,
      ignoreGroups: [...lanes, ...this.#lanesDown],
    });
    const slices = jobs.map(({ id, retryCount, data }) => {
      const { batch_id: batchId, first } = data as { batch_id: string; first: number };
      return { lease: { id, retryCount }, key: { batchId, first } };
    });
    // The queue returns them in any order, and a person watches the first rows.
    for (const { lease, key } of slices.toSorted((one, other) => one.key.first - other.key.first))
      await this.#lease(lease, key);
    return jobs.length;
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
      // While the first calls are in flight.
      this.#parts.marker.prepare(markedBatch(fetched));
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
