import type { LeasedRow, LeasedSlice } from '../leased-slice.ts';
import type { ChatOutcome } from '../port.ts';

/** Equal refusals of a batch, with no answer between them, that stand for a fault of its request and not of its rows. */
const equalRefusals = 10;
/** Calls in flight of a request that was never answered: with the ten refused ones, at most 30 calls are made in vain. */
const callsBeforeFirstAnswer = 20;
/** Requests that were answered, without their prompts. The oldest is forgotten. */
const knownRequests = 100;

/** The provider has dealt with the row, so its request is good. */
const reactions: ReadonlySet<ChatOutcome['kind']> = new Set([
  'answered',
  'row_refused',
  'unusable',
]);

interface Watched {
  inFlight: number;
  hasAnswer: boolean;
  /** The last refusal, and how often it came without an answer between. */
  refusal: string;
  times: number;
  /** Refused rows without a result: they fail when the request proves to be good. */
  held: { row: LeasedRow; problem: string }[];
}

/**
 * Tells a request that the provider refuses (an unknown model or option) from rows that it refuses. A refused row is held
 * until the next answer of its batch, so that a batch that is paused has lost none.
 */
export class RequestRefusals {
  readonly #fail: (row: LeasedRow, problem: string) => void;
  readonly #batches = new Map<string, Watched>();
  /** Models with options that were answered: batches of the same ones may use all slots at once. */
  readonly #good = new Set<string>();

  constructor(fail: (row: LeasedRow, problem: string) => void) {
    this.#fail = fail;
  }

  /** No more rows of the batch may be sent before an answer. */
  isFull(batchId: string): boolean {
    const batch = this.#batches.get(batchId);
    return batch !== undefined && !batch.hasAnswer && batch.inFlight >= callsBeforeFirstAnswer;
  }

  beginCall(slice: LeasedSlice): void {
    const { batchId } = slice;
    if (!this.#batches.has(batchId))
      this.#watched(batchId).hasAnswer = this.#good.has(requestOf(slice));
    this.#watched(batchId).inFlight++;
  }

  endCall(batchId: string): void {
    this.#watched(batchId).inFlight--;
  }

  /** With an answer, the provider has accepted a request of the batch, so the refusals were about their rows. */
  note(outcome: ChatOutcome, slice: LeasedSlice): void {
    if (!reactions.has(outcome.kind)) return;
    const { batchId } = slice;
    const batch = this.#watched(batchId);
    if (!batch.hasAnswer) this.#remember(requestOf(slice));
    batch.hasAnswer = true;
    batch.times = 0;
    this.#failHeld(batchId);
  }

  /** Holds a refused row. Returns all held rows when the request is at fault; the caller gives them up. */
  refuse(row: LeasedRow, problem: string, leased: readonly LeasedSlice[]): LeasedRow[] | null {
    const { batchId, isSuspected } = row.slice;
    if (isSuspected) {
      // The other rows of its group in quarantine wait for it.
      this.#fail(row, problem);
      return null;
    }
    const batch = this.#watched(batchId);
    const refusal = withoutIds(problem);
    if (refusal !== batch.refusal) {
      this.#failHeld(batchId);
      Object.assign(batch, { refusal, times: 0 });
    }
    batch.times++;
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

  /** When only held rows of the batches of these rows are open, no answer will tell whether their request is good. */
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

  /** Forgets batches of which no slice is leased: when they run again, their options may have changed. */
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
    const { held } = this.#watched(batchId);
    for (const { row, problem } of held.splice(0)) this.#fail(row, problem);
  }

  #watched(batchId: string): Watched {
    const known = this.#batches.get(batchId);
    if (known) return known;
    const fresh: Watched = { inFlight: 0, hasAnswer: false, refusal: '', times: 0, held: [] };
    this.#batches.set(batchId, fresh);
    return fresh;
  }
}

/** What a provider may refuse about all rows of a batch. */
function requestOf({ model, options }: LeasedSlice): string {
  return JSON.stringify([model, { ...options, system: null }]);
}

/** Providers add request ids and counts to the same message. */
function withoutIds(problem: string): string {
  const words = problem.split(' ');
  return words.map((word) => (/\d/.test(word) ? '#' : word)).join(' ');
}
