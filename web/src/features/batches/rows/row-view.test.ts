import { expect, it } from 'vitest';
import {
  conditionsOf,
  nextSort,
  ordersFor,
  searchOf,
  sortOf,
  sortText,
  whereText,
  withCondition,
} from './row-view.ts';

it.each([
  ['sheet 0 descending', 'sheet 0 descending'],
  ['answer 2 longest', 'answer 2 longest'],
  ['note shortest', 'note shortest'],
  ['password ascending', ''],
  ['sheet 0 sideways', ''],
  [null, ''],
])('reads the order %o of an address as %o', (text, order) => {
  expect(sortText(text)).toBe(order);
});

it('sorts numbers by value and texts by letters or length', () => {
  const labels = (column?: { isNumeric: boolean }) => ordersFor(column).map(([, text]) => text);
  expect(labels({ isNumeric: true })).toEqual(['Lowest', 'Highest']);
  expect(labels({ isNumeric: false })).toEqual(['A–Z', 'Z–A', 'Shortest', 'Longest']);
  expect(labels()).toEqual(labels({ isNumeric: false }));
});

it('sorts upwards, downwards, then as the sheet', () => {
  const first = nextSort(null, 'sheet 1');
  const second = nextSort(sortOf(first), 'sheet 1');
  expect([first, second, nextSort(sortOf(second), 'sheet 1')]).toEqual([
    'sheet 1 ascending',
    'sheet 1 descending',
    '',
  ]);
});

it.each([
  ['[["sheet 0","contains","a"]]', [{ column: 'sheet 0', is: 'contains', value: 'a' }]],
  ['[["answer 0","empty"]]', [{ column: 'answer 0', is: 'empty', value: '' }]],
  ['[["secret","contains","a"]]', []],
  ['[["sheet 0","matches","a"]]', []],
  ['[[]]', []],
  ['{}', []],
  ['[1]', []],
  ['nonsense', []],
  ['', []],
])('reads the conditions %s', (text, conditions) => {
  expect(conditionsOf(text)).toEqual(conditions);
});

it('takes at most as many conditions as a search has room for', () => {
  const many = Array.from({ length: 20 }, (_, index) => [`sheet ${index}`, 'filled', '']);
  const where = JSON.stringify(many);
  const search = searchOf({ rows: 'all', search: '', judged: 'right', where });
  expect(search.conditions).toHaveLength(8);
  expect(conditionsOf(whereText(where))).toHaveLength(7);
});

it('keeps one condition a column', () => {
  const one = { column: 'sheet 0', is: 'equals', value: 'a' } as const;
  const other = { ...one, value: 'b' };
  expect(withCondition([one], { column: 'sheet 0', condition: other })).toEqual([other]);
  expect(withCondition([one], { column: 'sheet 0', condition: null })).toEqual([]);
});
