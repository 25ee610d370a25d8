import { expect, it } from 'vitest';
import { indexAfterKey, pagesBetween } from './row-pages.ts';

it.each([
  [0, 10, [0]],
  [95, 104, [0, 1]],
  [99_990, 99_999, [999]],
  [100, 100, [1]],
  [-1, -1, [0]],
])('finds rows %i to %i on the pages %o', (first, last, pages) => {
  expect(pagesBetween(first, last, 100)).toEqual(pages);
});

it.each([
  ['ArrowDown', 0, 1],
  ['ArrowUp', 0, 0],
  ['PageDown', 95, 99],
  ['PageUp', 95, 85],
  ['Home', 50, 0],
  ['End', 0, 99],
  ['a', 50, null],
  ['toString', 50, null],
])('moves on %s from row %i to row %s', (key, index, next) => {
  expect(indexAfterKey(key, { index, total: 100, visibleRows: 10 })).toBe(next);
});

it('does not move when there are no rows', () => {
  expect(indexAfterKey('End', { index: 0, total: 0, visibleRows: 10 })).toBeNull();
});
