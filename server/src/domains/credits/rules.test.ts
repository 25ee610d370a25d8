import { describe, expect, it } from 'vitest';
import { fallsBelowAlert, giftLeft, monthlyAllowance } from './rules.ts';

describe('monthlyAllowance', () => {
  it.each([
    ['an unused limit', { limit: 100, spent: 0, reserved: 0 }, 100],
    ['spent and reserved submissions', { limit: 100, spent: 30, reserved: 50 }, 20],
    ['a limit that was lowered later', { limit: 10, spent: 30, reserved: 0 }, 0],
    ['a limit of nothing', { limit: 0, spent: 0, reserved: 0 }, 0],
  ])('of a month with %s', (_case, month, allowance) => {
    expect(monthlyAllowance(month)).toBe(allowance);
  });
});

describe('fallsBelowAlert', () => {
  const earlier = new Date('2026-01-01T00:00:00Z');

  it.each([
    ['without an alert level', { alertLevel: null }, false],
    ['that stays at the level', { amount: 80 }, false],
    ['that crosses the level', { amount: 81 }, true],
    ['of nothing, below the level', { before: 15, amount: 0 }, false],
    ['of the whole balance', { amount: 100 }, true],
    ['of more than the balance', { amount: 101 }, false],
    ['that starts below the level, never notified', { before: 15, amount: 1 }, true],
    ['after an alert, still below', { before: 15, amount: 1, notifiedAt: earlier }, false],
    ['after an alert and a top-up', { amount: 90, notifiedAt: earlier }, true],
    ['after an alert and a top-up to the level', { before: 20, notifiedAt: earlier }, true],
  ])('for spending %s: %s', (_case, change, isNotified) => {
    const fall = { alertLevel: 20, notifiedAt: null, before: 100, amount: 10, ...change };
    expect(fallsBelowAlert(fall)).toBe(isNotified);
  });
});

describe('giftLeft', () => {
  const gift = (change: number) => ({ change, isGiftFirst: true });
  const spent = (change: number) => gift(-change);
  const bought = (change: number) => ({ change, isGiftFirst: false });
  const refunded = (change: number) => bought(-change);

  it.each([
    ['a gift', [gift(100)], 100],
    ['one that was partly taken back', [gift(100), gift(-40)], 60],
    ['one beside bought ones', [bought(50), gift(100), spent(30)], 70],
    ['one that was spent before others were bought', [gift(100), spent(100), bought(100)], 0],
    ['one that came after bought ones were spent', [bought(100), spent(100), gift(80)], 80],
    ['one of which more is spent than it was', [bought(50), gift(10), spent(30), gift(5)], 5],
    ['one beside refunded ones', [gift(100), bought(50), refunded(50)], 100],
    ['one that a refund of spent ones took', [bought(9), spent(9), gift(9), refunded(9)], 0],
    ['one that paid a debt', [gift(10), refunded(4), bought(20)], 6],
    ['nothing', [], 0],
  ])('of %s', (_case, changes, left) => {
    expect(giftLeft(changes)).toBe(left);
  });
});
