import { expect, it } from 'vitest';
import { summariseQuote } from './quote.ts';

it.each([
  [
    'more submissions than needed',
    { rows: 12, blank: 0, needed: 12, available: 1000 },
    { rowsToRun: 12, missing: 0, balanceAfter: 988, canStart: true },
  ],
  [
    'exactly the submissions needed',
    { rows: 12, blank: 2, needed: 10, available: 10 },
    { rowsToRun: 10, missing: 0, balanceAfter: 0, canStart: true },
  ],
  [
    'too few submissions',
    { rows: 12, blank: 0, needed: 12, available: 5 },
    { rowsToRun: 12, missing: 7, balanceAfter: 0, canStart: false },
  ],
  [
    'every row answered in a preview',
    { rows: 5, blank: 0, needed: 0, available: 0 },
    { rowsToRun: 5, missing: 0, balanceAfter: 0, canStart: true },
  ],
  [
    'only empty prompts',
    { rows: 3, blank: 3, needed: 0, available: 9 },
    { rowsToRun: 0, missing: 0, balanceAfter: 9, canStart: false },
  ],
])('summarises a quote with %s', (_, quote, summary) => {
  expect(summariseQuote(quote)).toEqual(summary);
});
