import { rowsPerBlock } from '../../../lib/csv/sheet.ts';
import type { BatchRow } from '../store/batches.ts';
import { RowSet } from './row-set.ts';

export const sliceQueueName = 'batches.slice';

/**
 * How many slices of a batch are queued or leased at a time. A small batch then does not wait
 * behind all of a large one, and slices with a few retries do not hold up others.
 */
export const slicesAhead = 12;

export const rowsPerSlice = 2 * rowsPerBlock;

/** The first answers come soon, and later slices start on a block of the rows file. */
const firstSliceSizes = [16, rowsPerSlice - 16] as const;

/** The priority of a batch's first slice, which is small enough to be leased at any time. */
export const firstSlicePriority = 0;

/** After this many crashes while it was leased, a slice's rows are sent in quarantine. */
export const crashesBeforeQuarantine = 2;

/** A row fails after this many crashes in quarantine; after the first, it is sent alone. */
export const maximumRowCrashes = 3;

/** The number of rows of a batch's nth slice. */
export function sliceSize(index: number): number {
  return firstSliceSizes[index] ?? rowsPerSlice;
}

/** Batches of a client with early slices, so that a flood of small batches does not go first. */
export const promptBatches = 4;

/** Early slices of a batch go before later slices of others, so a new batch starts soon. */
export function slicePriority(first: number, isPrompt = true): number {
  if (!isPrompt) return firstSlicePriority - slicesAhead;
  let end = 0;
  let index = 0;
  while (end < first && index < slicesAhead) end += sliceSize(index++);
  return firstSlicePriority - index;
}

/** Null: the first rows of the sheet. */
export function selectedRows({ selected_rows }: Pick<BatchRow, 'selected_rows'>): RowSet | null {
  return selected_rows === null ? null : RowSet.unpack(selected_rows);
}

/** The rows of the sheet that a range of the batch's rows stands for. */
export function sheetRows(
  batch: Pick<BatchRow, 'selected_rows'>,
  { first, count }: { first: number; count: number },
): number[] {
  const selected = selectedRows(batch);
  if (selected) return selected.slice(first, count);
  return Array.from({ length: count }, (_, index) => first + index);
}
