import { expect, it } from 'vitest';
import { formatBytes, formatCompact, formatInitials, formatRange } from './format.ts';

it.each([
  [{ start: 0, limit: 20, shown: 20, total: 57 }, '1 to 20 of 57'],
  [{ start: 40, limit: 20, shown: 17, total: 57 }, '41 to 57 of 57'],
  [{ start: 0, limit: 20, shown: 1, total: 1 }, '1 to 1 of 1'],
  [{ start: 0, limit: 20, shown: 0, total: 0 }, '0 of 0'],
  [{ start: 0, limit: 20, shown: 20, total: 1_001 }, '1 to 20 of 1,001'],
  [{ start: 0, limit: 20, shown: 20, total: 1_000, isCapped: true }, '1 to 20 of 1,000'],
  [{ start: 0, limit: 20, shown: 20, total: 1_001, isCapped: true }, '1 to 20 of 1,000+'],
  [
    { start: 5_000, limit: 20, shown: 20, total: 5_021, isCapped: true },
    '5,001 to 5,020 of 5,020+',
  ],
  [{ start: 5_000, limit: 20, shown: 20, total: 5_020, isCapped: true }, '5,001 to 5,020 of 5,020'],
])('writes %j as “%s”', (range, words) => {
  expect(formatRange(range)).toBe(words);
});

it.each([
  [['Clara', 'Quayle'], 'CQ'],
  [['  émile ', ''], 'É'],
  [['𝒜da', 'ø'], '𝒜Ø'],
  [['', ''], ''],
])('shortens %j to %s', (names, initials) => {
  expect(formatInitials(...names)).toBe(initials);
});

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [120_001, '121 kB'],
  [1_000_000, '1 MB'],
  [2_540_000, '2.5 MB'],
  [52_400_000, '52 MB'],
  [5_000_000_000, '5 GB'],
])('writes %i bytes as %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});

it.each([
  [0, '0'],
  [9_999, '9,999'],
  [203_086, '203K'],
])('writes %d in short as %s', (value, short) => {
  expect(formatCompact(value)).toBe(short);
});
