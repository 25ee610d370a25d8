import { describe, expect, it } from 'vitest';
import { isUnchanged, presentChange, validatePlan } from './rules.ts';

describe('validatePlan', () => {
  const plan = (price_minor: number, period_days: number | null, is_sold = true) => ({
    price_minor,
    period_days,
    is_sold,
  });
  const [free, paid] = [plan(0, null), plan(1900, 30)];

  it.each([
    ['the free plan as it is', free, free, []],
    ['a price for the free plan', plan(100, null), free, ['price_minor']],
    ['an end of the free plan', plan(0, 30), free, ['period_days']],
    ['the withdrawal of the free plan', plan(0, null, false), free, ['is_sold']],
    ['a paid plan', plan(100, 30), paid, []],
    ['a withdrawn paid plan', plan(100, 30, false), paid, []],
    ['a paid plan below the minimum', plan(99, 30), paid, ['price_minor']],
    ['a new plan without price and end', free, null, ['price_minor', 'period_days']],
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
