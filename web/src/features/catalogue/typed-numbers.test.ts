import { expect, it } from 'vitest';
import { asPercent, hundredthsIn, inHundredths } from './typed-numbers.ts';

it.each([
  ['12.50', 1250],
  ['12,5', 1250],
  [' 12 ', 1200],
  ['0.29', 29],
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
