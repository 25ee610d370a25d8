import { monotonicNow } from '../../lib/clock.ts';
import type { LeasedRow, LeasedSlice } from '../leased-slice.ts';
import type { ChatOutcome } from '../port.ts';

/** After this many equal refusals without an answer, the request is at fault, not its rows. */
const equalRefusals = 10;
/** Calls in flight of a never answered request. With ten refused ones at most 30 are wasted. */
const callsBeforeFirstAnswer = 20;
/** After this many refusals of the key without an answer, it is at fault, not a gateway's mood. */
const keyRefusals = 3;
/** Meanwhile the batch sends one row in this time. Shorter than the wait of a refused row. */
const keyTestMilliseconds = 500;
/** For so long a test of a request counts, which the operator pays for. */
const testedMilliseconds = 60_000;
/** How many answered requests are remembered, without their prompts. The oldest is dropped. */
const knownRequests = 100;

/** Outcomes that prove the request good: the provider processed the row. */
const reactions: ReadonlySet<ChatOutcome['kind']> = new Set([
  'answered',
  'row_refused',
  'unusable',
]);

interface BatchState {
  inFlight: number;
  hasAnswer: boolean;
  /** It had answers at any time, so its request may be good although rows are refused. */
  wasAnswered: boolean;
  /** When a test last showed that it is good. */
  testedAt: number;
  /** The last refusal, and how often it came in a row. */
  refusal: string;
  times: number;
  /** Refused rows without a result: they fail when the request proves to be good. */
  held: { row: LeasedRow; problem: string }[];
  /** Refusals of the key since the last answer, when the first came, and when a row tests it. */
  keyRefused: number;
  keyRefusedAt: number;
  keyTestAt: number;
}

/**
 * Distinguishes a refused request (an unknown model or option) from refused rows, and a refused key
 * from single refusals. Holds a refused row until the next answer of its batch, so that a paused
 * batch loses no row.
 */
export class RequestRefusals {
  readonly #fail: (row: LeasedRow, problem: string) => void;
  readonly #batches = new Map<string, BatchState>();
  /** Models with options that were answered. Batches with the same may use all slots at once. */
  readonly #good = new Set<string>();

  constructor(fail: (row: LeasedRow, problem: string) => void) {
    this.#fail = fail;
  }

  /** Whether the batch must wait for an answer before it sends more rows. */
  isFull(batchId: string): boolean {
    const batch = this.#batches.get(batchId);
    if (batch === undefined) return false;
    if (batch.keyRefused > 0 && monotonicNow() < batch.keyTestAt) return true;
    return !batch.hasAnswer && batch.inFlight >= callsBeforeFirstAnswer;
  }

  wasAnswered(batchId: string): boolean {
    return this.#batches.get(batchId)?.wasAnswered ?? false;
  }

  noteTested(batchId: string): void {
    this.#stateOf(batchId).testedAt = monotonicNow();
  }

  wasTested(batchId: string): boolean {
    return monotonicNow() < this.#stateOf(batchId).testedAt + testedMilliseconds;
  }

  beginCall(slice: LeasedSlice): void {
    const { batchId } = slice;
    if (!this.#batches.has(batchId))
      this.#stateOf(batchId).hasAnswer = this.#good.has(requestOf(slice));
    const batch = this.#stateOf(batchId);
    batch.wasAnswered ||= slice.hasAnswers;
    batch.inFlight++;
    if (batch.keyRefused > 0) batch.keyTestAt = monotonicNow() + keyTestMilliseconds;
  }

  endCall(batchId: string): void {
    this.#stateOf(batchId).inFlight--;
  }

  /** An answer proves the request of the batch good, so the refused rows fail. */
  note(outcome: ChatOutcome, slice: LeasedSlice): void {
    if (!reactions.has(outcome.kind)) return;
    const { batchId } = slice;
    const batch = this.#stateOf(batchId);
    if (!batch.hasAnswer) this.#remember(requestOf(slice));
    batch.hasAnswer = true;
    batch.wasAnswered = true;
    batch.times = 0;
    batch.keyRefused = 0;
    this.#failHeld(batchId);
  }

  /**
   * Whether the key is at fault. Once rows were answered, only the calls that were sent after the
   * first refusal count: those in flight may have met the same fault of a gateway.
   */
  refuseKey(slice: LeasedSlice, milliseconds: number): boolean {
    const batch = this.#stateOf(slice.batchId);
    const now = monotonicNow();
    if (batch.keyRefused === 0)
      Object.assign(batch, { keyRefusedAt: now, keyTestAt: now + keyTestMilliseconds });
    else if (batch.hasAnswer && now - milliseconds < batch.keyRefusedAt) return false;
    if (++batch.keyRefused < keyRefusals) return false;
    this.#good.delete(requestOf(slice));
    Object.assign(batch, { hasAnswer: false, keyRefused: 0 });
    return true;
  }

  /** Holds a refused row. Returns all held rows, to be given up, when the request is at fault. */
  refuse(row: LeasedRow, problem: string, leased: readonly LeasedSlice[]): LeasedRow[] | null {
    const { batchId, isSuspected } = row.slice;
    if (isSuspected) {
      // The other rows of its group in quarantine wait for this one.
      this.#fail(row, problem);
      return null;
    }
    const batch = this.#stateOf(batchId);
    const refusal = withoutIds(problem);
    if (refusal !== batch.refusal) {
      this.#failHeld(batchId);
      Object.assign(batch, { refusal, times: 0 });
    }
    batch.times++;
    batch.keyRefused = 0;
    batch.held.push({ row, problem });
    if (batch.times < equalRefusals) {
      this.failLast([row], leased);
      return null;
    }
    const rows = batch.held.map((held) => held.row);
    this.#good.delete(requestOf(row.slice));
    Object.assign(batch, { hasAnswer: false, times: 0, held: [] });
    return rows;
  }

  /** Fails held rows of a batch without other open rows: no answer can prove its request good. */
  failLast(rows: readonly LeasedRow[], leased: readonly LeasedSlice[]): void {
    for (const batchId of new Set(rows.map(({ slice }) => slice.batchId))) {
      const held = this.#batches.get(batchId)?.held.length ?? 0;
      if (held === 0) continue;
      const open = leased.filter((slice) => slice.batchId === batchId);
      if (open.reduce((sum, { openRows }) => sum + openRows, 0) === held) this.#failHeld(batchId);
    }
  }

  /** Removes and returns the held rows of a slice. */
  take(slice: LeasedSlice): LeasedRow[] {
    const batch = this.#batches.get(slice.batchId);
    if (!batch) return [];
    const taken = batch.held.filter(({ row }) => row.slice === slice);
    batch.held = batch.held.filter(({ row }) => row.slice !== slice);
    return taken.map(({ row }) => row);
  }

  /** Forgets batches without leased slices: their options may change before they run again. */
  forgetOthers(slices: readonly LeasedSlice[]): void {
    const leased = new Set(slices.flatMap(({ batchId, isEnding }) => (isEnding ? [] : [batchId])));
    for (const batchId of this.#batches.keys())
      if (!leased.has(batchId)) this.#batches.delete(batchId);
  }

  #remember(request: string): void {
    this.#good.add(request);
    const [oldest = ''] = this.#good;
    if (this.#good.size > knownRequests) this.#good.delete(oldest);
  }

  #failHeld(batchId: string): void {
    const { held } = this.#stateOf(batchId);
    for (const { row, problem } of held.splice(0)) this.#fail(row, problem);
  }

  #stateOf(batchId: string): BatchState {
    const known = this.#batches.get(batchId);
    if (known) return known;
    const fresh: BatchState = {
      inFlight: 0,
      hasAnswer: false,
      wasAnswered: false,
      testedAt: Number.NEGATIVE_INFINITY,
      refusal: '',
      times: 0,
      held: [],
      keyRefused: 0,
      keyRefusedAt: 0,
      keyTestAt: 0,
    };
    this.#batches.set(batchId, fresh);
    return fresh;
  }
}

/** The part of a request that all rows of a batch share. */
function requestOf({ model, options }: LeasedSlice): string {
  return JSON.stringify([model, { ...options, system: null }]);
}

/** Providers add request ids and counts to the same message. */
function withoutIds(problem: string): string {
  const words = problem.split(' ');
  return words.map((word) => (/\d/.test(word) ? '#' : word)).join(' ');
}
