import { expect, it } from 'vitest';
import { asCost, costIn } from './typed-costs.ts';

it.each([
  ['2.50', 2_500_000],
  ['0,075', 75_000],
  [' 12 ', 12_000_000],
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
