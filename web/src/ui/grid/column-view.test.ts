import { expect, it } from 'vitest';
import { inOrder, moveColumn } from './column-view.ts';

const ids = ['a', 'b', 'c'];
const columns = ids.map((id) => ({ id }));
const orderedBy = (order: string[]) => inOrder(columns, order).map(({ id }) => id);

it.each([
  [[], ['a', 'b', 'c']],
  [
    ['c', 'a'],
    ['c', 'a', 'b'],
  ],
  [
    ['b', 'gone', 'a', 'c'],
    ['b', 'a', 'c'],
  ],
])('places columns in the order %j', (order, placed) => {
  expect(orderedBy(order)).toEqual(placed);
});

it.each([
  ['b', -1, ['b', 'a', 'c']],
  ['b', 1, ['a', 'c', 'b']],
  ['a', -1, ['a', 'b', 'c']],
  ['c', 1, ['a', 'b', 'c']],
] as const)('moves %s by %i', (id, by, moved) => {
  expect(moveColumn(ids, id, by)).toEqual(moved);
});
