import { describe, expect, it } from 'vitest';
import { isUnchanged, presentChange, validatePlan } from './rules.ts';

describe('validatePlan', () => {
  const free = { price_minor: 0 };
  const paid = { price_minor: 1900 };

  it.each([
    ['the free plan as it is', { price_minor: 0, period_days: null, is_sold: true }, free, []],
    [
      'a price for the free plan',
      { price_minor: 100, period_days: null, is_sold: true },
      free,
      ['price_minor'],
    ],
    [
      'an end of the free plan',
      { price_minor: 0, period_days: 30, is_sold: true },
      free,
      ['period_days'],
    ],
    [
      'the withdrawal of the free plan',
      { price_minor: 0, period_days: null, is_sold: false },
      free,
      ['is_sold'],
    ],
    ['a paid plan', { price_minor: 100, period_days: 30, is_sold: true }, paid, []],
    ['a withdrawn paid plan', { price_minor: 100, period_days: 30, is_sold: false }, paid, []],
    [
      'a paid plan below the minimum',
      { price_minor: 99, period_days: 30, is_sold: true },
      paid,
      ['price_minor'],
    ],
    [
      'a new plan without price and end',
      { price_minor: 0, period_days: null, is_sold: true },
      null,
      ['price_minor', 'period_days'],
    ],
  ])('judges %s', (_case, wanted, present, fields) => {
    expect(Object.keys(validatePlan(wanted, present))).toEqual(fields);
  });
});

describe('isUnchanged', () => {
  it.each([
    ['the same values', { name: 'A', features: ['x'] }, true],
    ['fewer fields', { name: 'A' }, true],
    ['another value', { name: 'B' }, false],
    ['another list', { features: ['x', 'y'] }, false],
    ['a new field', { position: 2 }, false],
  ])('compares a row with %s: %s', (_case, wanted, isSame) => {
    expect(isUnchanged({ id: '1', name: 'A', features: ['x'] }, wanted)).toBe(isSame);
  });
});

describe('presentChange', () => {
  const row = {
    id: 7,
    at: new Date('2026-01-01T00:00:00Z'),
    item: 'packs',
    item_id: 'a',
    before: { id: 'a', name: 'Old', count: 500, currency: 'GBP', version: 1 },
    after: { id: 'a', name: 'New', count: 500, currency: 'GBP', version: 2 },
    actor_id: 'operator',
    actor_name: 'Olga Orr',
    total: 1,
  };
  const nameBefore = { field: 'name', before: 'Old', after: null };

  it.each([
    [
      'an edit',
      {},
      { kind: 'changed', name: 'New', fields: [{ field: 'name', before: 'Old', after: 'New' }] },
    ],
    ['an addition', { before: null }, { kind: 'added', name: 'New' }],
    [
      'a removal',
      { after: null },
      { kind: 'removed', name: 'Old', fields: expect.arrayContaining([nameBefore]) },
    ],
    ['a change without an author', { actor_id: null, actor_name: null }, { by: null }],
    ['a change of the tax', { item: 'tax' }, { item: 'pricing' }],
  ])('shows %s', (_case, change, shown) => {
    expect(presentChange({ ...row, ...change })).toMatchObject({
      id: '7',
      at: '2026-01-01T00:00:00.000Z',
      currency: 'GBP',
      ...shown,
    });
  });
});
