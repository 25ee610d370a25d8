import { expect, it } from 'vitest';
import { packsFor } from './packs-for.ts';

const packs = [
  { id: '100', count: 100, rate_minor: 500 },
  { id: '1,000', count: 1000, rate_minor: 4000 },
  { id: '10,000', count: 10_000, rate_minor: 30_000 },
];

function inWords(amount: number): string {
  return packsFor(amount, packs)
    .map(({ pack, quantity }) => `${quantity} of ${pack.id}`)
    .join(', ');
}

it.each([
  [0, ''],
  [-5, ''],
  [1, '1 of 100'],
  [100, '1 of 100'],
  [101, '2 of 100'],
  [700, '7 of 100'],
  [750, '1 of 1,000'],
  [1_250, '1 of 1,000, 3 of 100'],
  [7_300, '7 of 1,000, 3 of 100'],
  [7_400, '1 of 10,000'],
  [12_345, '1 of 10,000, 2 of 1,000, 4 of 100'],
])('makes %d submissions of %s', (amount, words) => {
  expect(inWords(amount)).toBe(words);
});

it('covers every amount, never for more than one of the largest beyond it', () => {
  for (let amount = 1; amount <= 21_000; amount += 37) {
    const chosen = packsFor(amount, packs);
    const made = chosen.reduce((sum, { pack, quantity }) => sum + pack.count * quantity, 0);
    expect(made).toBeGreaterThanOrEqual(amount);
    expect(made - amount).toBeLessThan(10_000);
  }
});

it('finds nothing without packs', () => {
  expect(packsFor(100, [])).toEqual([]);
});
