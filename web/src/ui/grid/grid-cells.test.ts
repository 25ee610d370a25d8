import { expect, it } from 'vitest';
import {
  allCells,
  cellAfterKey,
  isNumericColumn,
  rangeBetween,
  toTsv,
  widthFor,
} from './grid-cells.ts';

const bounds = { rows: 100, columns: 5, page: 10 };

it.each([
  ['ArrowDown', false, [0, 2], [1, 2]],
  ['ArrowUp', false, [0, 2], [-1, 2]],
  ['ArrowUp', false, [-1, 2], [-1, 2]],
  ['ArrowRight', false, [3, 4], [3, 4]],
  ['ArrowLeft', false, [3, 4], [3, 3]],
  ['PageDown', false, [95, 0], [99, 0]],
  ['PageUp', false, [4, 0], [0, 0]],
  ['Home', false, [50, 3], [50, 0]],
  ['End', false, [50, 3], [50, 4]],
  ['Home', true, [50, 3], [0, 0]],
  ['End', true, [50, 3], [99, 4]],
  ['ArrowDown', true, [50, 3], [99, 3]],
  ['ArrowRight', true, [50, 0], [50, 4]],
] as const)('moves on %s (far: %s) from %o to %o', (key, isFar, [row, column], next) => {
  const moved = cellAfterKey(key, { cell: { row, column }, bounds, isFar });
  expect(moved && [moved.row, moved.column]).toEqual(next);
});

it.each(['a', 'toString', 'Enter'])('does not move on %s', (key) => {
  expect(cellAfterKey(key, { cell: { row: 5, column: 0 }, bounds })).toBeNull();
});

it('does not move when there are no rows', () => {
  const empty = { ...bounds, rows: 0 };
  expect(cellAfterKey('End', { cell: { row: 0, column: 0 }, bounds: empty })).toBeNull();
});

it('orders the corners of a range', () => {
  expect(rangeBetween({ row: 4, column: 1 }, { row: 2, column: 3 })).toEqual({
    first: { row: 2, column: 1 },
    last: { row: 4, column: 3 },
  });
});

it.each([
  ['a column of checkboxes', [{ isFixed: true }, {}, {}], 1],
  ['data only', [{}, {}, {}], 0],
])('selects all cells of a grid with %s', (_, columns, first) => {
  expect(allCells(5, columns)).toEqual({
    first: { row: 0, column: first },
    last: { row: 4, column: 2 },
  });
});

it.each([
  [[['a "b"\nc']], 'a "b"\nc'],
  [
    [
      ['1', 'two'],
      ['3', ''],
    ],
    '1\ttwo\n3\t',
  ],
  [[['a\tb', 'say "no"', 'two\nlines']], '"a\tb"\t"say ""no"""\t"two\nlines"'],
])('copies %j', (rows, text) => {
  expect(toTsv(rows)).toBe(text);
});

it.each([
  [['1', '-2.5', '1,000', '', '20%'], true],
  [['1', 'n/a'], false],
  [['', ' '], false],
  [[], false],
])('finds in %j numbers: %s', (texts, isNumeric) => {
  expect(isNumericColumn(texts)).toBe(isNumeric);
});

it('makes a column as wide as its texts, within limits', () => {
  expect(widthFor('id', ['1'])).toBe(88);
  expect(widthFor('name', ['x'.repeat(20)])).toBe(188);
  expect(widthFor('text', ['x'.repeat(5_000)])).toBe(320);
});
