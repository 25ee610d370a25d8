import { expect, it } from 'vitest';
import { pagesBetween } from './grid-pages.ts';

it.each([
  [0, 10, [0]],
  [95, 104, [0, 1]],
  [99_990, 99_999, [999]],
  [100, 100, [1]],
  [-1, -1, [0]],
])('finds rows %i to %i on the pages %o', (first, last, pages) => {
  expect(pagesBetween(first, last, 100)).toEqual(pages);
});
