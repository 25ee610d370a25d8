import { expect, it } from 'vitest';
import { moveTo, pagesOver } from './row-pages.ts';

it.each([
  [0, 10, [0]],
  [95, 104, [0, 1]],
  [99_990, 99_999, [999]],
  [100, 100, [1]],
  [-1, -1, [0]],
])('rows %i to %i lie on pages %o', (first, last, pages) => {
  expect(pagesOver(first, last, 100)).toEqual(pages);
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
])('%s leads from row %i to %s', (key, row, to) => {
  expect(moveTo(key, { row, total: 100, screen: 10 })).toBe(to);
});

it('stays where it is when there are no rows', () => {
  expect(moveTo('End', { row: 0, total: 0, screen: 10 })).toBeNull();
});
