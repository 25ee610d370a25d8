import { expect, it } from 'vitest';
import { chargedSince, daysLeft, rowsPerDay, successRate } from './figures.ts';

const now = new Date(2026, 2, 3, 15);
const batch = (ended: Date | null, answered: number, failed = 0) => ({
  answered,
  failed,
  charged: answered,
  started_at: new Date(2026, 2, 3, 9).toISOString(),
  ended_at: ended?.toISOString() ?? null,
});

it('counts a batch on the day it ended, and a running batch on the day it started', () => {
  const batches = [
    batch(new Date(2026, 2, 1, 23, 59), 5, 1),
    batch(new Date(2026, 2, 1, 0, 0), 7),
    batch(null, 3),
  ];
  const figures = rowsPerDay([...batches, batch(new Date(2026, 1, 28), 100)], { now, days: 3 });
  expect(figures.map(({ answered, failed }) => [answered, failed])).toEqual([
    [12, 1],
    [0, 0],
    [3, 0],
  ]);
  expect(figures.map(({ day }) => day.getDate())).toEqual([1, 2, 3]);
});

it('computes the share of answered rows, or none when no row is done', () => {
  expect(successRate([batch(now, 3, 1)])).toBe(0.75);
  expect(successRate([batch(null, 0)])).toBeNull();
});

it('sums the recent charges and estimates how long the balance lasts', () => {
  const charged = chargedSince(
    [batch(new Date(2026, 1, 20), 50), batch(new Date(2026, 2, 2), 14), batch(null, 7)],
    { now, days: 7 },
  );
  expect(charged).toBe(21);
  expect(daysLeft(100, { charged, days: 7 })).toBe(33);
  expect(daysLeft(100, { charged: 0, days: 7 })).toBeNull();
});
