import { expect, it } from 'vitest';
import type { Quote } from '../confirm/quote.ts';
import { agreedForRows, shownRow, subjectOf } from './use-preview.ts';

const whole = { rows: 60, limit: undefined, selected: null, chosen: null };
it.each([
  ['the first of a sheet', whole, [0, [0, 1, 2, 3, 4]]],
  ['the last that is wanted', { ...whole, limit: 12, chosen: 40 }, [11, [11]]],
  ['the first that runs again', { ...whole, limit: 9, selected: [53, 59] }, [53, [53, 59]]],
  ['another that runs again', { ...whole, selected: [3, 53], chosen: 4 }, [4, [53]]],
  ['one behind all of them', { ...whole, selected: [3, 53], chosen: 59 }, [59, [3, 53]]],
])('shows %s', (_, choice, expected) => {
  const { index, upcoming } = shownRow(choice);
  expect([index, upcoming]).toEqual(expected);
});

/** Some rows that do not run may cost more than those that do. */
const quote = { rows: 12, needed: 24, per_tried_row: 3 } as Quote;
const dear = { submissions: 5, size: null };
const bySize = { submissions: 5, size: { tokens: 100, answerTokens: 40 } };
const byTomorrow = { query: { finish_by: '2026-11-27T08:00:00.000Z' } };
it.each([
  ['by its quote', { request: {}, quote, price: dear }, 6],
  ['by the list of models until it is there', { request: {}, quote: undefined, price: dear }, 10],
  ['at half the price', { request: byTomorrow, quote: undefined, price: dear }, 6],
  [
    'not before the quote of a price by size',
    { request: {}, quote: undefined, price: bySize },
    undefined,
  ],
  ['not while the models load', { request: {}, quote: undefined, price: undefined }, undefined],
])('agrees to what two rows cost %s', (_, shown, expected) => {
  expect(agreedForRows(2, shown)).toBe(expected);
});

const request = { questionWithVariable: 'Sell {{Name}}, {{tone}}.', query: { file: 's1' } };
const filling = { sheet: { columns: ['Name'] }, variables: { tone: 'warmly', other: 'x' } };
it.each([
  ['the text of a variable', request, { ...filling, variables: { tone: 'coldly' } }, false],
  ['another variable', request, { ...filling, variables: { tone: 'warmly', other: 'y' } }, true],
  ['the prompt', { ...request, questionWithVariable: 'Sell.' }, filling, false],
  ['the number of rows', { ...request, query: { file: 's1', limit: 5 } }, filling, true],
])('knows whether answers are out of date after a change of %s', (_, next, nextFilling, isSame) => {
  expect(subjectOf(next, nextFilling) === subjectOf(request, filling)).toBe(isSame);
});
