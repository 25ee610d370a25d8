import { describe, expect, it } from 'vitest';
import {
  endOfReturned,
  presentPacks,
  presentTax,
  presentUserPlan,
  presentUserPlans,
} from './rules.ts';
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
    ['packs without a price', [pack(500, 0), pack(1000, 0)], [0, 0]],
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

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

describe('presentUserPlans', () => {
  const now = day(15);
  const planOf = (user_id: string, id: string, starts: number) =>
    ({ user_id, id, started_at: day(starts), ends_at: null }) as UserPlanRow;
  it.each([
    ['no one', [], [], []],
    ['a person with one plan', [planOf('a', 'free', 1)], ['free'], []],
    [
      'a person whose next plans are bought',
      [planOf('a', 'month', 1), planOf('a', 'quarter', 16), planOf('a', 'year', 20)],
      ['month'],
      ['quarter', 'year'],
    ],
    [
      'people with older plans, or with one that starts now',
      [
        planOf('a', 'month', 10),
        planOf('a', 'free', 1),
        planOf('b', 'quarter', 1),
        planOf('b', 'free', 15),
      ],
      ['month', 'quarter'],
      [],
    ],
    ['a person whose only plan starts later', [planOf('a', 'month', 16)], ['month'], []],
  ])('finds the plans of %s', (_case, rows, current, next) => {
    const { plans, next_plans } = presentUserPlans(rows, now);
    expect([plans.map(({ id }) => id), next_plans.map(({ id }) => id)]).toEqual([current, next]);
  });
});

describe('endOfReturned', () => {
  it.each([
    ['has no end', { starts: 1, ends: null, revoked: 5 }, null, null],
    ['had 26 days left', { starts: 1, ends: 31, revoked: 5 }, null, 20 + 26],
    ['follows others', { starts: 1, ends: 31, revoked: 5 }, 40, 40 + 26],
    ['follows others that have ended', { starts: 1, ends: 31, revoked: 5 }, 10, 20 + 26],
    ['was taken before its start', { starts: 10, ends: 40, revoked: 5 }, null, 20 + 30],
    [
      'was taken before its start, which is still to come',
      { starts: 25, ends: 55, revoked: 5 },
      null,
      55,
    ],
    ['was taken as it ended', { starts: 1, ends: 5, revoked: 5 }, null, 5],
    ['was taken after its end', { starts: 1, ends: 4, revoked: 5 }, 40, 4],
  ])('is right for a plan that %s', (_case, { starts, ends, revoked }, others, expected) => {
    const plan = {
      started_at: day(starts),
      ends_at: ends === null ? null : day(ends),
      revoked_at: day(revoked),
    };
    const end = endOfReturned(plan, { now: day(20), others: others === null ? null : day(others) });
    expect(end).toEqual(expected === null ? null : day(expected));
  });
});
