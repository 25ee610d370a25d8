import type { AskOptions } from '../db/schema.ts';
import type { Claim } from './port.ts';

/** A slice that this process has in its hand, from the claim of its job to its end. */
export interface LeasedSlice {
  claim: Claim;
  batchId: string;
  userId: string;
  first: number;
  model: string;
  options: AskOptions;
  /** Ends the calls in flight when the batch was stopped and they take too long. */
  abort: AbortController;
  /** Rows that are neither settled nor given up. */
  open: number;
  /** Rows were given up, so that the slice is not done. */
  isCut: boolean;
  /** Its batch does not run any more: nothing of it is sent. */
  isOver: boolean;
  /** Its end has begun. */
  isEnding: boolean;
  /** Several processes have died that had it in hand: its rows go by way of a trial. */
  isSuspected: boolean;
}

export interface LeasedRow {
  slice: LeasedSlice;
  row: number;
  prompt: string;
  /** Calls of this row that broke. */
  attempts: number;
  /** Times that it was put off while others were answered, and how many had been answered at the last of them. */
  postponed: number;
  answersThen: number;
  /** How often a process has died during its trial. */
  accused: number;
}

export function newRow(slice: LeasedSlice, row: number, prompt: string): LeasedRow {
  return { slice, row, prompt, attempts: 0, postponed: 0, answersThen: -1, accused: 0 };
}
