import type { CatalogueChange } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { actOf, fieldsOf } from './change-words.ts';

const change: CatalogueChange = {
  id: '1',
  at: '2026-01-01T00:00:00Z',
  item: 'pack',
  name: '500 submissions',
  kind: 'changed',
  by: null,
  currency: 'GBP',
  fields: [],
};

it('says what was done and to what', () => {
  expect(actOf(change)).toBe('changed the pack “500 submissions”');
  expect(actOf({ ...change, item: 'pricing', name: 'VAT' })).toBe('changed currency and tax');
});

it.each([
  [{ field: 'rate_minor', before: 600, after: 750 }, 'price: from £6.00 to £7.50'],
  [{ field: 'is_sold', before: true, after: false }, 'on sale: from yes to no'],
  [{ field: 'basis_points', before: 2000, after: 1750 }, 'tax rate: from 20% to 17.5%'],
  [{ field: 'features', before: ['a', 'b'], after: [] }, 'bullet points: from “a”, “b” to nothing'],
  [{ field: 'period_days', before: null, after: 1200 }, 'days: from none to 1,200'],
  [{ field: 'unheard_of', before: 'x', after: 'y' }, 'unheard_of: from x to y'],
])('describes %j', (field, words) => {
  expect(fieldsOf({ ...change, fields: [field] })).toEqual([words]);
});

it('shows one value per field of a new item, in the order of the form, without its name', () => {
  const fields = [
    { field: 'count', before: null, after: 100 },
    { field: 'name', before: null, after: '100 submissions' },
    { field: 'rate_minor', before: null, after: 150 },
  ];
  expect(fieldsOf({ ...change, kind: 'added', fields })).toEqual([
    'price: £1.50; submissions: 100',
  ]);
});
