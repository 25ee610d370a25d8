import { describe, expect, it } from 'vitest';
import { RowSet } from './row-set.ts';
import {
  earlySliceStarts,
  firstSlicePriority,
  sheetRows,
  slicePriority,
  sliceSize,
  slicesAhead,
  waitingPriority,
} from './sizes.ts';

describe('the slices of a batch', () => {
  it.each([
    ['the first is small', 0, 16],
    ['the second ends on a block of the rows file', 1, 496],
    ['all others have 512 rows', 2, 512],
    ['also far into a batch', 2_000, 512],
  ])('%s', (_name, index, rows) => {
    expect(sliceSize(index)).toBe(rows);
  });

  it.each([
    ['the first slice', 0, firstSlicePriority],
    ['the second slice', 16, firstSlicePriority - 1],
    ['the third slice', 512, firstSlicePriority - 2],
    ['a late slice', 1_000_000, firstSlicePriority - slicesAhead],
  ])('give %s its priority', (_name, first, priority) => {
    expect(slicePriority(first)).toBe(priority);
  });

  it('have as many turns in four batches of a client as in one', () => {
    const early = earlySliceStarts.slice(1, 3);
    const ofFour = [0, 1, 2, 3].flatMap((place) =>
      early.map((first) => slicePriority(first, { place, batches: 4 })),
    );
    const ofOne = earlySliceStarts.slice(4, 12).map((first) => slicePriority(first));
    expect(new Set(ofFour)).toEqual(new Set(ofOne));
  });

  it('go before those of batches that wait for others of their client', () => {
    expect(slicePriority(1_000_000)).toBeGreaterThan(waitingPriority);
  });

  it.each([
    ['of all rows', null, [2, 3, 4]],
    ['of selected rows', [5, 7, 11, 13, 17, 19], [11, 13, 17]],
    ['at the end of the selection', [5, 7, 11], [11]],
  ])('stand for rows of the sheet: %s', (_name, selection, rows) => {
    const selected_rows = selection && RowSet.of(selection, 1_000).packed;
    expect(sheetRows({ selected_rows }, { first: 2, count: 3 })).toEqual(rows);
  });
});
