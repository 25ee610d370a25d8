import { expect, it } from 'vitest';
import {
  asCost,
  asPercent,
  costIn,
  hundredthsIn,
  inHundredths,
  numberIn,
  parseWholeNumber,
  wholeNumberIn,
} from './typed-numbers.ts';

it.each([
  ['250', 250],
  [' 1,250 ', 1250],
  ['1.250', 1250],
  ['10 000', 10_000],
  ['2,000', 2000],
  ['0', 0],
  ['١٢٣', 123],
  ['۴۵۶', 456],
  ['１，000', Number.NaN],
  ['７８９０', 7890],
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

it('reads a number below the least one, so that it is refused as too small', () => {
  expect([wholeNumberIn('-5'), numberIn('-5'), numberIn(' ')]).toEqual([-5, -5, null]);
  expect([wholeNumberIn(), numberIn('many')]).toEqual([Number.NaN, Number.NaN]);
});

it.each([
  ['12.50', 1250],
  ['12,5', 1250],
  [' 12 ', 1200],
  ['0.29', 29],
  ['١٢.٥٠', 1250],
  ['999999.99', 99_999_999],
  ['1,900', Number.NaN],
  ['12.505', Number.NaN],
  ['-1', Number.NaN],
  ['£5', Number.NaN],
  ['', Number.NaN],
])('reads the amount %j as %d', (text, minor) => {
  expect(hundredthsIn(text)).toBe(minor);
});

it('writes amounts and percentages as they are typed', () => {
  for (const minor of [0, 1, 29, 100, 1250, 99_999_999])
    expect(hundredthsIn(inHundredths(minor))).toBe(minor);
  expect([asPercent(2000), asPercent(1750), asPercent(5)]).toEqual(['20', '17.5', '0.05']);
});

it.each([
  ['2.50', 2_500_000],
  ['0,075', 75_000],
  [' 12 ', 12_000_000],
  ['１２．５', Number.NaN],
  ['۱۲', 12_000_000],
  ['', null],
  ['2.5000001', Number.NaN],
  ['-1', Number.NaN],
  ['$5', Number.NaN],
])('reads the cost %j as %d', (text, millionths) => {
  expect(costIn(text)).toBe(millionths);
});

it.each([
  [2_500_000, '2.50'],
  [75_000, '0.075'],
  [0, '0.00'],
  [1, '0.000001'],
  [12_000_000, '12.00'],
  [null, ''],
])('writes %d as %j', (millionths, text) => {
  expect(asCost(millionths)).toBe(text);
  expect(costIn(text)).toBe(millionths);
});
