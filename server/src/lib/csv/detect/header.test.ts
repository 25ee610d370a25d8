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

const tables: [string, boolean][] = [
  ['Country,Code,2022,2023|Malta,MLT,0.53,0.55|Oman,OMN,4.58,4.64', true],
  ['Country,2022,2023|Malta,2004,12', false],
  ['Group,18-24,25-34|Women,12,17', true],
  ['Shop,2024-01-31,2024-02-29|North,1.200,1.350', true],
  ['Shop,2024-01-31,2024-02-29|North,2023-01-31,2023-02-28', false],
  ['Shop,Visits,2023|North,8,120|South,9,80|West,7,95', true],
  ['Hammer,N 7,2000|Nail,N 8,350|Saw,N 9,45', false],
  ['Hammer,12,2000|Nail,8,350|Saw,9,45', false],
  ['Country,2023|Malta,0.53|Oman,4.58|Peru,1.9', true],
  ['Product name,2023-01|Hammer,good|Nail,350|Saw,new', true],
  ['Country,2023|Malta,0.53', false],
  ['Country,2004|Malta,2005|Oman,2011|Peru,1999', false],
  ['Text book,2000|Hammer,350|Nail,8|Saw,45', false],
  ['Born,1.5,2000|Ada,1.6,12|Bob,1.7,13', false],
];

it.each(tables)(
  'tells from the rows below whether years and dates are names: %s',
  (text, isHeader) => {
    const rows = text.split('|').map((line) => line.split(','));
    expect(looksLikeHeader(rows)).toBe(isHeader);
  },
);
