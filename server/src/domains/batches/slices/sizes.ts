import { rowsPerBlock } from '../../../lib/csv/sheet.ts';
import type { BatchRow } from '../store/batches.ts';
import { RowSet } from './row-set.ts';

export const sliceQueueName = 'batches.slice';

/**
 * How many slices of a client and model are queued or leased at a time. A small batch then does not
 * wait behind all of a large one, and slices with a few retries do not hold up others.
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

/** Where the early slices of a batch begin. */
export const earlySliceStarts: readonly number[] = Array.from({ length: slicesAhead }, (_, index) =>
  Array.from({ length: index }, (_, before) => sliceSize(before)).reduce(
    (sum, size) => sum + size,
    0,
  ),
);

/**
 * Early slices of a batch go before later slices of others, so a new batch starts soon. Those of
 * several batches of a client take turns, so that all of them get the share of one.
 */
export function slicePriority(first: number, { place = 0, batches = 1 } = {}): number {
  const index = earlySliceStarts.filter((start) => start < first).length;
  if (index === 0) return firstSlicePriority;
  return firstSlicePriority - Math.min(slicesAhead, index * batches + place);
}

export const lateSlicePriority = firstSlicePriority - slicesAhead;

/** How many running batches of a client and model compete with those of others. */
export const promptBatches = 4;

/** The client's other batches wait for these: they would hold up others by their number. */
export const waitingPriority = lateSlicePriority - 1;

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
