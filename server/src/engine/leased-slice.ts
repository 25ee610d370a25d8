import type { AskOptions } from '../db/schema.ts';
import type { FetchedSlice, RowsAhead, RowToSend } from '../domains/batches/slices/lease.ts';
import type { CallTokens, Correction, Lease, RowTrace } from './port.ts';

/** A slice that this process has leased. */
export interface LeasedSlice {
  lease: Lease;
  batchId: string;
  userId: string;
  /** Milliseconds since 1970, of the clock that never steps. */
  leasedAt: number;
  first: number;
  model: string;
  /** Of the model when the slice was leased; see `ModelDirectory`. */
  providerKey: string;
  lane: string;
  /** Without its settings, no row is sent. */
  isModelSetUp: boolean;
  options: AskOptions;
  /** Its batch had answers when it was leased. */
  hasAnswers: boolean;
  isPricedBySize: boolean;
  /** The deadline of an economy batch, in epoch milliseconds. */
  finishBy: number | null;
  /** See FetchedSlice. */
  rowsAhead: RowsAhead;
  /** What the prompt says in every row. */
  fixedParts: readonly string[];
  /** Aborts the calls in flight. */
  abort: AbortController;
  /** Rows that are neither stored nor given up. */
  openRows: number;
  /** Of these, rows that wait for a retry. */
  waitingRows: number;
  /** A row was given up, so the slice returns to the queue when it ends. */
  isIncomplete: boolean;
  /** Sends no more rows: its batch does not run, its lease is lost, or the process stops. */
  isDraining: boolean;
  isEnding: boolean;
  /** Of its stored rows; see domains/batches/unusable-rows.ts. */
  unusableExcess: number;
  /** Several processes crashed while they held it, so its rows are read and sent in quarantine. */
  isSuspected: boolean;
  read: FetchedSlice['read'];
}

export interface LeasedRow {
  slice: LeasedSlice;
  row: number;
  /** Builds the prompt when the row is sent. */
  fillPrompt: () => string;
  /** Its cells are read before each call, because they are long. */
  readPrompt: RowToSend['readPrompt'];
  /** Calls that broke. */
  attempts: number;
  /** Times that the provider put this row off, each after it had answered others. */
  postponed: number;
  /** The limiter's count of answers when the row was last delayed. */
  answersWhenPostponed: number;
  /** An answer that could not be used; its second call is shown it. */
  correction?: Correction;
  /** Tokens of the calls made so far; see `Counted`. */
  tokens?: CallTokens | null;
  /** How often a process crashed while this row was in quarantine. */
  crashCount: number;
  /** From the first call; null when the row is not traced. */
  trace?: RowTrace | null;
}

/** Without a prompt: rows that fail, and those that quarantine reads. */
interface NewRow extends RowToSend {
  crashCount?: number;
}

export function newRow(
  slice: LeasedSlice,
  { row, fillPrompt = () => '', readPrompt, crashCount = 0 }: NewRow,
): LeasedRow {
  return {
    slice,
    row,
    fillPrompt,
    readPrompt,
    attempts: 0,
    postponed: 0,
    answersWhenPostponed: -1,
    crashCount,
  };
}
