import { describe, expect, it } from 'vitest';
import { presentPacks, presentTax, presentUserPlan } from './rules.ts';
import type { UserPlanRow } from './store.ts';

describe('presentPacks', () => {
  const pack = (count: number, rate_minor: number) => ({
    id: 'x',
    name: 'x',
    count,
    rate_minor,
    currency: 'GBP',
  });

  it.each([
    ['a single pack', [pack(500, 600)], [0]],
    ['packs at one price per submission', [pack(500, 600), pack(1000, 1200)], [0, 0]],
    ['cheaper packs', [pack(500, 600), pack(2000, 2000), pack(10_000, 8000)], [0, 16, 33]],
    ['an exact third', [pack(1, 300), pack(1, 200)], [0, 33]],
    ['an exact half, despite floating point', [pack(3, 10), pack(6, 10)], [0, 50]],
    ['no packs', [], []],
  ])('finds the saving of %s', (_case, packs, savings) => {
    expect(presentPacks(packs).map(({ saving_percent }) => saving_percent)).toEqual(savings);
  });
});

describe('presentTax', () => {
  it.each([
    [2000, 20],
    [1750, 17.5],
    [0, 0],
  ])('shows %i basis points as %f percent', (basis_points, percent) => {
    expect(presentTax({ name: 'VAT', basis_points })).toEqual({ name: 'VAT', percent });
  });
});

describe('presentUserPlan', () => {
  it.each([
    ['with an end', new Date('2026-02-01T00:00:00Z'), '2026-02-01T00:00:00.000Z'],
    ['without an end', null, null],
  ])('shows the dates of a plan %s', (_case, ends_at, shown) => {
    const started_at = new Date('2026-01-01T00:00:00Z');
    const plan = presentUserPlan({ id: 'month', started_at, ends_at } as UserPlanRow);
    expect(plan).toEqual({ id: 'month', started_at: '2026-01-01T00:00:00.000Z', ends_at: shown });
  });
});
