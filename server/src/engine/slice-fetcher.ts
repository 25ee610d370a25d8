import type { Context } from '../core/context.ts';
import type { AnswerMarker } from '../domains/batches/marks/answer-marker.ts';
import { markedBatch, recallAnswers } from '../domains/batches/marks/recall-answers.ts';
import { fetchSlice, finishSlice } from '../domains/batches/slices/lease.ts';
import { hasLateSlicesOfOthers, raiseSliceOfOthers } from '../domains/batches/slices/queue.ts';
import { recordCrashes } from '../domains/batches/slices/recover.ts';
import {
  firstSlicePriority,
  lateSlicePriority,
  rowsPerSlice,
  slicePriority,
  sliceQueueName,
} from '../domains/batches/slices/sizes.ts';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import type { Emit } from './events.ts';
import type { Leases } from './leases.ts';
import type { CircuitBreakers } from './limits/circuit-breakers.ts';
import type { Lease, SliceSource, WantedSlices } from './port.ts';

interface Parts {
  source: SliceSource;
  leases: Leases;
  breakers: Pick<CircuitBreakers, 'isOpenFor' | 'models'>;
  marker: AnswerMarker;
  emit: Emit;
}

interface UnreadSlice {
  batchId: string;
  first: number;
  lease: Lease;
}

interface FetchedLane {
  rows: number;
  wanted: number;
}

/** A lane without leased slices has room. */
const noRows: FetchedLane = { rows: 0, wanted: rowsPerSlice };
/**
 * For each call in flight two answers may wait for their transaction and two be in one. The rest
 * wait to be sent meanwhile: with 4, calls at 256 in flight stopped.
 */
const rowsPerSlot = 8;
/** With more lanes of one provider key, each of them holds fewer rows. */
const wholeLanes = 4;
/** The other slices stay for other processes, and the wanted rows may change meanwhile. */
const slicesPerFetch = 4;
/** Above this multiple of its wanted rows, new batches wait too. This bounds memory. */
const overloadFactor = 4;
/**
 * Calls of a person may take minutes, and take any slot for which no one else has a row. So this
 * many people always have a share of a lane's wanted rows, if they have them in the queue.
 */
const peopleWithShares = 4;

/**
 * Fetches slices while there is room for their rows. The first slice of a batch is small (16 rows)
 * and fetched even without room, so that a new batch soon gets its first answers.
 */
export class SliceFetcher {
  readonly #ctx: Context;
  readonly #parts: Parts;
  #fetching: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;
  /** Lanes that the last fetch left out, when it found too few slices. Only these may have more. */
  #leftOut: readonly string[] | null = [];
  /** Of lanes that are full of the rows of few people: those without whom none were queued. */
  readonly #alone = new Map<string, readonly string[]>();
  /** The batches of the last slices that were early ones. */
  #begun: readonly string[] = [];
  /** Batches that changed while a slice was being read: what was read may be outdated. */
  readonly #changedBatches = new Set<string>();
  /** Set while the disk is full. */
  isBlocked = false;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  /** Fetches slices, if there are any. A request during a fetch repeats it. */
  fetch(): void {
    this.#alone.clear();
    this.#request();
  }

  #request(): void {
    this.#isWanted = true;
    if (this.#isClosed || this.#fetching) return;
    this.#fetching = this.#fetchWhileUseful()
      .catch((error) => this.#ctx.log.error({ err: error }, 'could not fetch slices'))
      .finally(() => {
        this.#fetching = null;
      });
  }

  /** Rows were stored, given up or delayed. Without new slices their slots would stay unused. */
  refill(): void {
    const lanes = this.#lanes;
    const isMissing = ({ rows, wanted }: FetchedLane) => rows < wanted;
    const looked = this.#leftOut?.map((lane) => lanes.get(lane) ?? noRows) ?? lanes.values();
    if (looked.some(isMissing) || this.#oneSided(lanes).length > 0) this.#request();
  }

  /** Whether the queue may hold more rows of this lane. */
  mayFindMore(lane: string): boolean {
    return this.#leftOut === null || this.#leftOut.includes(lane);
  }

  discardIfReading(batchId: string): void {
    if (this.#fetching) this.#changedBatches.add(batchId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#fetching;
  }

  /** Computed for all lanes at once: each stored or refused row asks. */
  get #lanes(): Map<string, FetchedLane> {
    const { lanes } = this.#parts.leases;
    const byKey = Map.groupBy(lanes.values(), ({ providerKey }) => providerKey);
    const wantedOf = new Map(
      [...byKey].map(([key, ofKey]) => [key, this.#wantedRows(key, ofKey.length)]),
    );
    const all = new Map<string, FetchedLane>();
    for (const [lane, { providerKey, rows }] of lanes)
      all.set(lane, { rows, wanted: wantedOf.get(providerKey) ?? 0 });
    return all;
  }

  /** Of each lane of a key. `key` is empty for a provider that is not known yet. */
  #wantedRows(key = '', lanes = 1): number {
    const { concurrency } = this.#ctx.models.limitsOf(key);
    const share = Math.min(1, wholeLanes / lanes);
    return Math.max(rowsPerSlot * concurrency * share, rowsPerSlice);
  }

  /** Lanes that have this many times the rows that they want, or more. */
  #fullLanes(times = 1): string[] {
    const full = [...this.#lanes].filter(([, { rows, wanted }]) => rows >= times * wanted);
    return full.map(([lane]) => lane);
  }

  /** Full lanes with the rows of few people, of whom others may have slices in the queue. */
  #oneSided(lanes: ReadonlyMap<string, FetchedLane>): { lane: string; served: string[] }[] {
    const oneSided = [];
    for (const [lane, { rows, wanted }] of lanes) {
      if (rows < wanted || rows >= overloadFactor * wanted) continue;
      const people = [...this.#parts.leases.rowsByPerson(lane)];
      const share = wanted / Math.min(Math.max(2, people.length), peopleWithShares);
      const counted = people.reduce((sum, [, own]) => sum + Math.min(own, share), 0);
      const served = people.filter(([, own]) => own >= share).map(([userId]) => userId);
      const isAlone = this.#alone.get(lane)?.every((userId) => served.includes(userId));
      if (counted < wanted && !isAlone) oneSided.push({ lane, served });
    }
    return oneSided;
  }

  /**
   * The models of these lanes, and those whose provider is down: others may reach it. If none does,
   * the next failed probe pauses the batches.
   */
  #modelsToIgnore(lanes: readonly string[]): string[] {
    const { breakers } = this.#parts;
    const ignored = new Set(lanes);
    return this.#knownModels.filter(
      (model) => ignored.has(this.#laneOf(model)) || breakers.isOpenFor(model),
    );
  }

  get #knownModels(): string[] {
    const { breakers, leases } = this.#parts;
    const leased = leases.slices.map(({ model }) => model);
    return [...new Set([...this.#ctx.models.names, ...leased, ...breakers.models])];
  }

  #laneOf(model: string): string {
    return this.#ctx.models.laneOf(model).name;
  }

  /** Slices of a lane with enough rows stay queued, and delay no other lane's. */
  async #fetchWhileUseful(): Promise<void> {
    const { leases } = this.#parts;
    while (this.#isWanted && !this.#isClosed && !this.isBlocked) {
      this.#isWanted = false;
      const rows = leases.openRows;
      const full = this.#fullLanes();
      const count = this.#wantedSlices;
      const late = await this.#fetchLateInTurn(full, count);
      const rest = late < count ? await this.#fetchPast(full, { count: count - late }) : 0;
      const found = late + rest;
      this.#leftOut = found < count ? full : null;
      // First slices have the highest priority, so a full slice means that no first slice is left.
      const isSatisfied =
        late === 0 &&
        leases.openRows - rows >= rowsPerSlice &&
        this.#fullLanes().length === leases.lanes.size;
      if (full.length === 0 && isSatisfied) return;
      if (found === count || (full.length > 0 && (await this.#fetchFirstSlice())))
        this.#isWanted = true;
    }
  }

  get #wantedSlices(): number {
    const lanes = [...this.#lanes.values()];
    const missing = lanes.reduce((sum, { rows, wanted }) => sum + Math.max(0, wanted - rows), 0);
    const slices = (lanes.length === 0 ? this.#wantedRows() : missing) / rowsPerSlice;
    return Math.min(Math.max(1, Math.ceil(slices)), slicesPerFetch);
  }

  /**
   * Early slices go before late ones of other batches, but only every other time: batches started
   * one after another hold up no large one.
   */
  async #fetchLateInTurn(lanes: readonly string[], count: number): Promise<number> {
    const begun = this.#begun;
    if (begun.length === 0) return 0;
    const isTurn = await hasLateSlicesOfOthers(this.#ctx, begun, this.#modelsToIgnore(lanes));
    const priorities = { minPriority: lateSlicePriority, maxPriority: lateSlicePriority };
    const late = isTurn ? await this.#fetchPast(lanes, { count, ...priorities }) : 0;
    // Those of full lanes may be fetched later.
    if (late > 0 || lanes.length === 0) this.#begun = [];
    return late;
  }

  /** Fetches a first slice, or one of others, even of a lane that has enough rows. */
  async #fetchFirstSlice(): Promise<boolean> {
    await this.#raiseSlicesOfOthers();
    const wanted = { count: 1, minPriority: firstSlicePriority };
    return (await this.#fetchPast(this.#fullLanes(overloadFactor), wanted)) > 0;
  }

  /** While the calls of a few people last, the rows of others would wait in the queue. */
  async #raiseSlicesOfOthers(): Promise<void> {
    const { breakers } = this.#parts;
    for (const { lane, served } of this.#oneSided(this.#lanes)) {
      const models = this.#knownModels.filter(
        (model) => this.#laneOf(model) === lane && !breakers.isOpenFor(model),
      );
      const isRaised = await raiseSliceOfOthers(this.#ctx, { userIds: served, models });
      if (!isRaised) this.#alone.set(lane, served);
    }
  }

  /** Leases slices of other lanes than these, and returns how many were found. */
  async #fetchPast(
    lanes: readonly string[],
    wanted: Omit<WantedSlices, 'ignoreGroups'>,
  ): Promise<number> {
    const { leases, source } = this.#parts;
    const jobs = await source.fetch(sliceQueueName, {
      ...wanted,
      ignoreGroups: this.#modelsToIgnore(lanes),
    });
    const slices = jobs.map(({ id, retryCount, data }) => {
      const { batch_id: batchId, first } = data as { batch_id: string; first: number };
      return { batchId, first, lease: { id, retryCount } };
    });
    // The queue returns them in any order, and a person watches the first rows.
    const ordered = slices.toSorted((one, other) => one.first - other.first);
    // Not after a first slice: a small batch would wait for its second one.
    const early = ordered.filter(
      ({ first }) => first > 0 && slicePriority(first) > lateSlicePriority,
    );
    if (early.length > 0) this.#begun = early.map(({ batchId }) => batchId);
    for (const [index, slice] of ordered.entries())
      await this.#lease(slice).catch((error) => {
        const isTemporary = error instanceof ServiceUnavailable;
        // Any other error may come from a row, so the lease ends as if the process had crashed.
        for (const unread of ordered.slice(isTemporary ? index : index + 1)) leases.release(unread);
        throw error;
      });
    return jobs.length;
  }

  async #lease({ lease, ...slice }: UnreadSlice): Promise<void> {
    const { batchId, first } = slice;
    this.#changedBatches.clear();
    // Leased before and not ended: its process crashed. The only process counts crashes at start.
    if (lease.retryCount > 0) await recordCrashes(this.#ctx, [slice]);
    const fetched = await fetchSlice(this.#ctx, slice);
    if (fetched) await recallAnswers(this.#ctx, this.#parts.marker, fetched);
    this.#ctx.passFaultPoint?.('after-lease');
    if (fetched && !this.#isClosed && !this.#changedBatches.has(batchId)) {
      await this.#parts.emit({ type: 'slice_leased', lease, fetched });
      // Prepared while the first calls are in flight.
      this.#parts.marker.prepare(markedBatch(fetched));
      return;
    }
    await finishSlice(this.#ctx, { ...slice, lease, isComplete: false });
    this.#ctx.log.debug({ batch: batchId, first }, 'slice released unread');
  }
}
