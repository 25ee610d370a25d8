import { expect, it } from 'vitest';
import { SortKeys } from './sort-keys.ts';

async function sort(texts: readonly string[], order: ConstructorParameters<typeof SortKeys>[0]) {
  const keys = new SortKeys(order, texts.length);
  for (const text of texts) keys.add(text);
  return [...(await keys.sorted(() => undefined))].map((index) => texts[index]);
}

it.each([
  ['numbers by value', ['10', '9', '-1', '1,000', '2.5'], ['-1', '2.5', '9', '10', '1,000']],
  [
    'numbers with a decimal comma',
    ['1.234,50', '12,5', '3,75 €', '1,234', '100'],
    ['3,75 €', '12,5', '100', '1,234', '1.234,50'],
  ],
  ['money and percents', ['€20', '3 €', '100%', '+7'], ['3 €', '+7', '€20', '100%']],
  ['numbers, texts, empty cells', ['', 'b', '7', 'a', ' '], ['7', 'a', 'b', '', ' ']],
  ['without case and accents', ['zoe', 'Émile', 'eva', 'Öl'], ['Émile', 'eva', 'Öl', 'zoe']],
  ['equal ones as they were', ['A', 'b', 'a', 'B'], ['A', 'a', 'b', 'B']],
  ['other scripts', ['日本', 'мир', 'a'], ['a', 'мир', '日本']],
])('sorts %s', async (_, texts, sorted) => {
  expect(await sort(texts, 'ascending')).toEqual(sorted);
});

it('sorts backwards with empty cells still last', async () => {
  expect(await sort(['', '2', 'a', '10', 'b'], 'descending')).toEqual(['b', 'a', '10', '2', '']);
});

it.each([
  ['shortest', ['', 'b', 'aa', 'ccc']],
  ['longest', ['ccc', 'aa', 'b', '']],
] as const)('sorts the %s first', async (order, sorted) => {
  expect(await sort(['aa', '', 'ccc', 'b'], order)).toEqual(sorted);
});

it('sorts 20,000 texts as a sort in memory does, and gives others their turns', async () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `t${(index * 7_919) % 20_011}`);
  const keys = new SortKeys('ascending', texts.length);
  for (const text of texts) keys.add(text);
  let turns = 0;
  const sorted = await keys.sorted(() => {
    turns++;
    return undefined;
  });
  expect([...sorted].map((index) => texts[index])).toEqual(texts.toSorted());
  expect(turns).toBeGreaterThan(20);
});
