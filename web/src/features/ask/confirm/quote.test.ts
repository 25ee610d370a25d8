import { expect, it } from 'vitest';
import { neededAndAvailable } from '../../../texts/cost.ts';
import { shortageInWords, summariseQuote } from './quote.ts';

const quoted = {
  rows: 12,
  blank: 0,
  needed: 12,
  available: 1000,
  debt: 0,
  monthly: null,
  covered: 12,
  blocked: null,
};
const can = { missing: 0, isLimitedByMonth: false, canBuy: false, canStart: true };
const monthOf = (left: number) => ({ limit: 100, left, resets_at: '2026-12-01T00:00:00.000Z' });

it.each([
  ['more submissions than needed', {}, { ...can, rowsToRun: 12, balanceAfter: 988 }],
  [
    'exactly the submissions needed',
    { blank: 2, needed: 10, available: 10, covered: 10 },
    { ...can, rowsToRun: 10, balanceAfter: 0 },
  ],
  [
    'too few submissions: it offers what they cover',
    { available: 5, covered: 5 },
    { ...can, rowsToRun: 5, missing: 7, canBuy: true, balanceAfter: 0 },
  ],
  [
    'no submissions',
    { available: 0, covered: 0 },
    { ...can, rowsToRun: 0, missing: 12, canBuy: true, balanceAfter: 0, canStart: false },
  ],
  [
    'a monthly limit that leaves less than the balance',
    { monthly: monthOf(8), covered: 8 },
    { ...can, rowsToRun: 8, missing: 4, isLimitedByMonth: true, balanceAfter: 988 },
  ],
  [
    'a monthly limit that leaves enough',
    { monthly: monthOf(12) },
    { ...can, rowsToRun: 12, balanceAfter: 988 },
  ],
  [
    'a balance below the monthly limit',
    { available: 3, monthly: monthOf(8), covered: 3 },
    { ...can, rowsToRun: 3, missing: 9, canBuy: true, balanceAfter: 0 },
  ],
  [
    'every row answered in a preview',
    { rows: 5, needed: 0, available: 0, covered: 0 },
    { ...can, rowsToRun: 5, balanceAfter: 0 },
  ],
  [
    'only empty prompts',
    { rows: 3, blank: 3, needed: 0, available: 9 },
    { ...can, rowsToRun: 0, balanceAfter: 9, canStart: false },
  ],
  [
    'a debt: what is missing pays it too',
    { available: 0, debt: 380, covered: 0, blocked: 'You owe 380 submissions.' },
    { ...can, rowsToRun: 0, missing: 392, canBuy: true, balanceAfter: 0, canStart: false },
  ],
  [
    'an account that may start nothing',
    { blocked: 'A payment was disputed.' },
    { ...can, rowsToRun: 12, balanceAfter: 988, canStart: false },
  ],
])('summarises a quote with %s', (_, quote, summary) => {
  expect(summariseQuote({ ...quoted, ...quote })).toEqual(summary);
});

it('lets a start be repeated that may have taken the submissions already', () => {
  const spent = { ...quoted, available: 0, covered: 0, blocked: 'Your storage is full.' };
  expect(summariseQuote(spent, true)).toMatchObject({ ...can, rowsToRun: 12 });
});

it.each([
  ['1', '1 submission needed, 300 available.'],
  ['21', '21 submissions needed, 300 available.'],
])('says what %s of 300 submissions cost', (needed, words) => {
  expect(neededAndAvailable({ needed, available: '300' })).toBe(words);
});

it('says what is missing, or what the monthly limit leaves', () => {
  const missing = { missing: 1_200, isLimitedByMonth: false };
  expect(shortageInWords(quoted, missing)).toBe('You’re 1,200 submissions short.');
  expect(shortageInWords({ monthly: monthOf(1) }, { ...missing, isLimitedByMonth: true })).toMatch(
    /^The monthly limit of 100 submissions leaves 1 until \w+/,
  );
});
