import { describe, expect, it } from 'vitest';
import { fallsBelowAlert, monthlyAllowance } from './rules.ts';

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
  ])('for spending %s: %s', (_case, change, isNotified) => {
    const fall = { alertLevel: 20, notifiedAt: null, before: 100, amount: 10, ...change };
    expect(fallsBelowAlert(fall)).toBe(isNotified);
  });
});
