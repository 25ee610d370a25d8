import { expect, it } from 'vitest';
import { packsFor } from './packs-for.ts';

const packs = [
  { id: '100', count: 100, rate_minor: 500 },
  { id: '1,000', count: 1000, rate_minor: 4000 },
  { id: '10,000', count: 10_000, rate_minor: 30_000 },
];

/** Counts that are no multiples of each other, and a pack on offer. */
const uneven = [
  { id: '1,000', count: 1000, rate_minor: 1000 },
  { id: '2,500', count: 2500, rate_minor: 2200 },
  { id: '5,000', count: 5000, rate_minor: 4500 },
];

function inWords(amount: number, offered = packs): string {
  return packsFor(amount, offered)
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

it.each([
  [2_000, '2 of 1,000'],
  [3_000, '3 of 1,000'],
  [3_500, '1 of 2,500, 1 of 1,000'],
  [5_000, '2 of 2,500'],
  [7_400, '3 of 2,500'],
])('finds the lowest price for %d submissions among uneven packs: %s', (amount, words) => {
  expect(inWords(amount, uneven)).toBe(words);
});

it('ends soon with fifty packs at almost the same price', () => {
  const alike = Array.from({ length: 50 }, (_, index) => {
    const count = 1000 + 37 * index;
    return { id: String(count), count, rate_minor: count + (index % 3) };
  });
  const chosen = packsFor(987_654, alike);
  const made = chosen.reduce((sum, { pack, quantity }) => sum + pack.count * quantity, 0);
  expect(made).toBeGreaterThanOrEqual(987_654);
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
