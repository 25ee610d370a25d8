import { expect, it } from 'vitest';
import { parseWholeNumber } from './parse-whole-number.ts';

it.each([
  ['250', 250],
  [' 1,250 ', 1250],
  ['1.250', 1250],
  ['10 000', 10_000],
  ['2,000', 2000],
  ['0', 0],
])('reads %j as %d', (text, number) => {
  expect(parseWholeNumber(text)).toBe(number);
});

it.each(['', '  ', '-5', '+5', 'many', '1e9', '1e3', '12.5', '1234567890123'])(
  'reads %j as no number',
  (text) => {
    expect(parseWholeNumber(text)).toBeNaN();
  },
);

it.each([
  ['-5', -5],
  ['+1,250', 1250],
  ['5', 5],
])('reads the signed %j as %d', (text, number) => {
  expect(parseWholeNumber(text, { signed: true })).toBe(number);
});
