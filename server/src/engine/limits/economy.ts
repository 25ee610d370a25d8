import { minute, second } from '../../lib/clock.ts';
import type { LeasedSlice } from '../leased-slice.ts';
import type { ChatOutcome } from '../port.ts';

/** Refusals in a row after which a batch waits. With capacity for half of the calls, one in a thousand runs of ten is one. */
const refusalsInARow = 10;
/** Until an answer was timed. */
const usualCallMilliseconds = 10 * second;
/** The part of the time of a call that a new answer replaces: the mean follows some twenty answers. */
const learned = 0.05;
/** The time for the rest at the normal tier is only an estimate, and a minute passes between two looks at the clock. */
const margin = { times: 2, milliseconds: 15 * minute };

interface Rest {
  /** Epoch milliseconds. */
  now: number;
  finishBy: number;
  rowsLeft: number;
  callsAtOnce: number;
}

/** Decides for batches with a deadline whether a call may go to the flex tier, and when a batch waits for capacity. */
export class Economy {
  readonly #refusals = new Map<string, number>();
  /** How long an answer takes, by model. */
  readonly #milliseconds = new Map<string, number>();

  /** While the normal tier would still finish the rest in time. */
  maySendFlex(model: string, { now, finishBy, rowsLeft, callsAtOnce }: Rest): boolean {
    const each = this.#milliseconds.get(model) ?? usualCallMilliseconds;
    const rest = (rowsLeft * each) / Math.max(1, callsAtOnce);
    return now + margin.times * rest + margin.milliseconds < finishBy;
  }

  /** Whether the batch waits from now on. */
  note(
    { kind }: ChatOutcome,
    { batchId, model }: Pick<LeasedSlice, 'batchId' | 'model'>,
    milliseconds: number,
  ): boolean {
    if (kind === 'answered') {
      this.#refusals.delete(batchId);
      const known = this.#milliseconds.get(model) ?? milliseconds;
      this.#milliseconds.set(model, known + learned * (milliseconds - known));
    }
    if (kind !== 'no_capacity') return false;
    const refusals = (this.#refusals.get(batchId) ?? 0) + 1;
    this.#refusals.set(batchId, refusals);
    if (refusals < refusalsInARow) return false;
    this.#refusals.delete(batchId);
    return true;
  }
}
