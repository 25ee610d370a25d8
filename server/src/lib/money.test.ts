import { describe, expect, it } from 'vitest';
import { formatMoney, formatWithCode, fromDecimal, toDecimal } from './money.ts';

describe('money', () => {
  it.each([
    [1900, 'GBP', '19.00'],
    [5, 'GBP', '0.05'],
    [-12345, 'EUR', '-123.45'],
    [500, 'JPY', '500'],
    [1234, 'KWD', '1.234'],
  ])('converts %i minor units of %s to %s and back', (minor, currency, text) => {
    expect(toDecimal(minor, currency)).toBe(text);
    expect(fromDecimal(text, currency)).toBe(minor);
  });

  it.each(['', '1.', 'x', '1e3', '1.999', ' 1'])('refuses %j as an amount of pounds', (text) => {
    expect(fromDecimal(text, 'GBP')).toBeNaN();
  });

  it('is formatted with its currency and thousands separators', () => {
    const sums = [
      [123456789, 'GBP'],
      [100, 'EUR'],
      [-5000, 'JPY'],
    ] as const;
    expect(sums.map(([minor, currency]) => formatMoney(minor, currency))).toEqual([
      '£1,234,567.89',
      '€1.00',
      '-JP¥5,000',
    ]);
    expect(sums.slice(0, 2).map(([minor, currency]) => formatWithCode(minor, currency))).toEqual([
      'GBP 1,234,567.89',
      'EUR 1.00',
    ]);
    expect(formatWithCode(5000, 'JPY')).toBe('JPY 5,000');
  });
});
