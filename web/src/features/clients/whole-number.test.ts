import { expect, it } from 'vitest';
import { wholeNumber } from './whole-number.ts';

it.each([
  ['250', 250],
  [' 1,250 ', 1250],
  ['1.250', 1250],
  ['0', 0],
  ['', null],
  ['  ', null],
])('reads %j as %j', (text, number) => {
  expect(wholeNumber(text)).toBe(number);
});

it.each(['-5', 'many', '1e9', '12345678901'])('refuses %j', (text) => {
  expect(() => wholeNumber(text)).toThrow('whole number');
});
