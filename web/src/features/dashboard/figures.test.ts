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

it('estimates how long the balance lasts', () => {
  expect(daysLeft(100, { charged: 21, days: 7 })).toBe(33);
  expect(daysLeft(100, { charged: 0, days: 7 })).toBeNull();
});
