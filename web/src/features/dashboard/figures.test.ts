import { expect, it } from 'vitest';
import { daysLeft, startsOfDays, successRate } from './figures.ts';

it('starts each day at midnight, oldest first, across the end of a month', () => {
  const days = startsOfDays(new Date(2026, 2, 2, 15), 3);
  expect(days).toEqual([new Date(2026, 1, 28), new Date(2026, 2, 1), new Date(2026, 2, 2)]);
});

it.each([
  [0, 0, null],
  [3, 1, 0.75],
  [5, 0, 1],
  [0, 5, 0],
  [206_005, 31, 0.999],
  [1, 100_000, 0.001],
])(
  'rounds no share up to 100%% nor down to 0%%: %i answered, %i failed',
  (answered, failed, rate) => {
    expect(successRate({ answered, failed })).toBe(rate);
  },
);

it.each([
  ['the rate of a week', [...Array(7).fill(50), ...Array(7).fill(3)], 33],
  ['a week without charges', [5, ...Array(13).fill(0)], null],
  ['the days since the first charge', [...Array(10).fill(0), 20, 0, 0, 20], 10],
  ['the first two days', [...Array(12).fill(0), 20, 20], null],
  ['no charges', Array(14).fill(0), null],
])('estimates from %s how long the balance lasts', (_case, charged, left) => {
  expect(daysLeft(100, { charged, days: 7 })).toBe(left);
});
