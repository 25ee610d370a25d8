import { expect, it } from 'vitest';
import { rowIndex } from './row-prompt.tsx';

it.each([
  ['1', 0],
  ['12', 11],
  ['13', 11],
  ['0', 0],
  ['-3', 0],
  ['', 0],
  ['2.7', 1],
  ['e', 0],
])('reads the row number %j of 12 rows as index %i', (text, index) => {
  expect(rowIndex(text, 12)).toBe(index);
});
