import { expect, it } from 'vitest';
import { figuresOf } from './quote.ts';

it.each([
  [
    'enough',
    { rows: 12, blank: 0, needed: 12, available: 1000 },
    { missing: 0, after: 988, canStart: true, isEmpty: false },
  ],
  [
    'just enough',
    { rows: 12, blank: 2, needed: 10, available: 10 },
    { missing: 0, after: 0, canStart: true, isEmpty: false },
  ],
  [
    'too little',
    { rows: 12, blank: 0, needed: 12, available: 5 },
    { missing: 7, after: 0, canStart: false, isEmpty: false },
  ],
  [
    'all answered',
    { rows: 5, blank: 0, needed: 0, available: 0 },
    { missing: 0, after: 0, canStart: true, isEmpty: false },
  ],
  [
    'all blank',
    { rows: 3, blank: 3, needed: 0, available: 9 },
    { missing: 0, after: 9, canStart: false, isEmpty: true },
  ],
])('%s', (_, quote, figures) => {
  expect(figuresOf(quote)).toEqual(figures);
});
