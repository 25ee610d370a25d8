import type { RowsAhead } from '../../domains/batches/slices/lease.ts';
import { minute, second } from '../../lib/clock.ts';
import type { LeasedSlice } from '../leased-slice.ts';
import type { ChatOutcome } from '../port.ts';

/** A batch waits after this many refusals in a row: 1 chance in 1,000 at half the capacity. */
const refusalsInARow = 10;
/** The assumed time of a call before the first answer, if no row was tried. */
const defaultCallMilliseconds = 10 * second;
/** The weight of a new answer in the moving average of call times: about twenty answers. */
const newAnswerWeight = 0.05;
/** The time of the normal tier is an estimate, and the deadline is checked once a minute. */
const margin = { times: 2, milliseconds: 15 * minute };

interface RemainingWork {
  /** Epoch milliseconds. */
  now: number;
  finishBy: number;
  /** Its own, and those of other batches that are asked before its last one. */
  rowsAhead: RowsAhead;
  /** Of the key, whose lanes share them. */
  callsAtOnce: number;
  /** Of the lane; infinite without a limit. */
  limits: { atOnce: number; rate: number };
}

/** Decides which calls may go to the flex tier, and when a batch waits for capacity. */
export class Economy {
  readonly #refusals = new Map<string, number>();
  /** The mean time of an answer, by model. */
  readonly #milliseconds = new Map<string, number>();

  /** Whether the normal tier could still finish the remaining rows in time. */
  maySendFlex(model: string, work: RemainingWork): boolean {
    const { now, finishBy, rowsAhead, callsAtOnce, limits } = work;
    const known = this.#milliseconds.get(model) ?? rowsAhead.triedMilliseconds;
    const each = known ?? defaultCallMilliseconds;
    const perRowOfLane = Math.max(each / limits.atOnce, second / limits.rate);
    const ofKey = (rowsAhead.ofKey * each) / callsAtOnce;
    const remaining = Math.max(ofKey, rowsAhead.ofLane * perRowOfLane);
    return now + margin.times * remaining + margin.milliseconds < finishBy;
  }

  /** Notes the outcome of a call. Returns whether the batch must wait for capacity. */
  note(
    { kind }: ChatOutcome,
    { batchId, model }: Pick<LeasedSlice, 'batchId' | 'model'>,
    milliseconds: number,
  ): boolean {
    if (kind === 'answered') {
      this.#refusals.delete(batchId);
      const known = this.#milliseconds.get(model) ?? milliseconds;
      this.#milliseconds.set(model, known + newAnswerWeight * (milliseconds - known));
    }
    if (kind !== 'no_capacity') return false;
    const refusals = (this.#refusals.get(batchId) ?? 0) + 1;
    this.#refusals.set(batchId, refusals);
    if (refusals < refusalsInARow) return false;
    this.#refusals.delete(batchId);
    return true;
  }
}
