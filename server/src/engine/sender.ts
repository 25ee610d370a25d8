import type { Context } from '../core/context.ts';
import type { Emit } from './events.ts';
import type { LeasedRow } from './leased-slice.ts';
import type { CircuitBreakers } from './limits/circuit-breakers.ts';
import type { Lane, ProviderLanes } from './limits/provider-lanes.ts';
import type { RequestRefusals } from './limits/request-refusals.ts';
import type { LocalQueue } from './local-queue.ts';
import { addTokens, type ChatOutcome } from './port.ts';
import type { Quarantine } from './quarantine.ts';
import type { SliceFetcher } from './slice-fetcher.ts';

interface Parts {
  queue: LocalQueue;
  quarantine: Quarantine;
  lanes: ProviderLanes;
  breakers: Pick<CircuitBreakers, 'of'>;
  refusals: RequestRefusals;
  fetcher: Pick<SliceFetcher, 'mayFindMore'>;
  callModel(row: LeasedRow): Promise<ChatOutcome>;
  emit: Emit;
}

/** A cooldown may last a day, and timers drift, so the wait is computed again after this time. */
const maxTimerMilliseconds = 60_000;

/** Sends the ready rows of each lane as fast as its limiter allows, unless its provider is down. */
export class Sender {
  readonly #ctx: Context;
  readonly #parts: Parts;
  #calls = 0;
  #onCallEnded = () => {};
  #timer: { at: number; timeout: NodeJS.Timeout } | null = null;
  /** Batches that must not send rows. */
  readonly #held = new Set<string>();

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  sendRows(): void {
    if (this.#sendAlone()) return;
    for (const key of this.#parts.queue.keys) this.#sendWith(key);
  }

  /** Sends the ready rows of one provider key, whose lanes share its slots. */
  #sendWith(key: string): void {
    const { breakers, lanes, queue, refusals } = this.#parts;
    const isBlocked = ({ slice: { batchId, model, userId } }: LeasedRow) =>
      this.#held.has(batchId) || refusals.isFull(batchId) || !breakers.of(model).mayCallFor(userId);
    for (;;) {
      const open = new Map<string, Lane>();
      for (const name of queue.lanesOf(key)) {
        const lane = lanes.find(name);
        if (lane && !this.#mustWait(lane)) open.set(name, lane);
      }
      if (open.size === 0) return;
      const loadOf = ({ slice }: LeasedRow) => {
        const lane = open.get(slice.lane);
        return lane?.limiter.mayCallFor(slice.userId) ? lane.callsBy.of(slice.userId) : Infinity;
      };
      const row = queue.next(key, { isBlocked, loadOf });
      const lane = row && open.get(row.slice.lane);
      // All rows wait for another call to end, or for the probe.
      if (!lane) return;
      void this.#call(row, lane);
    }
  }

  /**
   * Sends a row in quarantine when no other call is in flight, and returns whether all others wait
   * for that. They do only while its provider takes calls.
   */
  #sendAlone(): boolean {
    const { lanes, quarantine } = this.#parts;
    const laneOf = ({ slice }: LeasedRow) => lanes.of(slice.model);
    if (quarantine.isExclusive) {
      const row = quarantine.next();
      if (row) void this.#call(row, laneOf(row));
      return true;
    }
    const row = quarantine.suspects.find(
      (suspect) =>
        this.#parts.breakers.of(suspect.slice.model).isClosed && !this.#mustWait(laneOf(suspect)),
    );
    if (row && this.#calls === 0) void quarantine.sendAlone(row);
    return row !== undefined;
  }

  #mustWait({ limiter }: Lane): boolean {
    const wait = limiter.waitMilliseconds;
    if (wait > 0) this.#sendLater(wait);
    return wait > 0;
  }

  /** Sends no row of the batch until `work` has ended. */
  async holdDuring(batchId: string, work: () => Promise<void>): Promise<void> {
    this.#held.add(batchId);
    try {
      await work();
    } finally {
      this.#held.delete(batchId);
    }
  }

  async whenNoCallInFlight(): Promise<void> {
    while (this.#calls > 0)
      await new Promise<void>((resolve) => {
        this.#onCallEnded = resolve;
      });
    if (this.#timer) clearTimeout(this.#timer.timeout);
  }

  /** The shortest wait counts. With all slots in use, the next answer sends without a timer. */
  #sendLater(milliseconds: number): void {
    if (milliseconds === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.ceil(milliseconds), maxTimerMilliseconds);
    const at = performance.now() + wait;
    if (this.#timer && this.#timer.at <= at) return;
    if (this.#timer) clearTimeout(this.#timer.timeout);
    const due = () => {
      this.#timer = null;
      void this.#parts.emit({ type: 'slot_free' });
    };
    this.#timer = { at, timeout: setTimeout(due, wait) };
  }

  /** A call is in flight until its answer is handled. Shutdown and quarantine wait for this. */
  async #call(row: LeasedRow, lane: Lane): Promise<void> {
    const { callsBy, limiter } = lane;
    const { callModel, emit, fetcher, quarantine, queue, refusals } = this.#parts;
    const { batchId, userId } = row.slice;
    this.#calls++;
    refusals.beginCall(row.slice);
    callsBy.begin(userId);
    const call = limiter.acquire({
      rowsLeft: fetcher.mayFindMore(lane.name) ? Infinity : queue.sizeOf(lane),
      batch: batchId,
      person: userId,
    });
    const outcome = await callModel(row);
    row.tokens = addTokens(row.tokens, outcome.tokens);
    refusals.endCall(batchId);
    callsBy.end(userId);
    this.#ctx.passFaultPoint?.('after-reply');
    limiter.release(outcome, call);
    const milliseconds = call.endedAt - call.sentAt;
    quarantine.noteCall(milliseconds);
    await emit({ type: 'answer_arrived', row, outcome, milliseconds });
    this.#calls--;
    this.#onCallEnded();
    // A row in quarantine may have waited for the last call.
    if (this.#calls === 0) this.sendRows();
  }
}
