import { describe, expect, it } from 'vitest';
import { looksLikeHeader } from './header.ts';

const cases: [string[], boolean][] = [
  [['name', 'prompt'], true],
  [['Prompt'], true],
  [['Q1?', 'Q2?'], true],
  [['', ''], true],
  [['name', '12'], false],
  [['-1,5', 'x'], false],
  [['50 %', 'x'], false],
  [['a@b.org', 'x'], false],
  [['https://a.org/b', 'x'], false],
  [['Who are you?'], false],
  [['Write a poem.'], false],
  [['x'.repeat(61)], false],
  [['x', `${'word '.repeat(20)}end.`], false],
  [['x', '@'.repeat(100_000)], true],
];

describe('a first row of', () => {
  it.each(
    cases.map(([cells, isHeader]) => ({
      shown: JSON.stringify(cells).slice(0, 60),
      cells,
      isHeader,
    })),
  )('$shown is a header: $isHeader', ({ cells, isHeader }) => {
    expect(looksLikeHeader([cells])).toBe(isHeader);
  });
});
