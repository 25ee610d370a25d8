import { expect, it } from 'vitest';
import { estimateSum } from './estimate-sum.ts';

it.each([
  ['no row', [], 100, null],
  ['one row', [200], 10, { low: 1_000, expected: 2_000, high: 3_000 }],
  ['equal rows', [100, 100, 100], 10, { low: 900, expected: 1_000, high: 1_100 }],
  ['rows that differ', [50, 150], 10, { low: 0, expected: 1_000, high: 2_000 }],
  [
    'more rows that differ',
    [80, 120, 80, 120],
    100,
    { low: 7_691, expected: 10_000, high: 12_309 },
  ],
  ['nothing left', [100, 120], 0, { low: 0, expected: 0, high: 0 }],
])('estimates from %s', (_what, tried, open, estimate) => {
  expect(estimateSum(tried, open)).toEqual(estimate);
});
