import type { CatalogueChange } from '@rowmill/contract';
import { formatMoney, formatNumber } from '../../lib/format.ts';

const fieldNames: Record<string, string> = {
  name: 'name',
  price_minor: 'price',
  rate_minor: 'price',
  currency: 'currency',
  period_days: 'days',
  submissions: 'submissions',
  count: 'submissions',
  features: 'what its card says',
  highlighted: 'highlighted',
  position: 'place',
  is_sold: 'on sale',
  basis_points: 'rate of the tax',
};

const order = Object.keys(fieldNames);
const labelOf = (field: string) => fieldNames[field] ?? field;

const itemNames = { plan: 'the plan', pack: 'the pack', pricing: 'currency and tax' } as const;

/** What was done, as it goes on from the name of whoever did it. */
export function actOf({ kind, item, name }: CatalogueChange): string {
  return item === 'pricing' ? `${kind} ${itemNames[item]}` : `${kind} ${itemNames[item]} “${name}”`;
}

/** A line for each field that differs, with both sides; of what is new or gone, one line with the side that there is. */
export function fieldsOf({ kind, fields, currency }: CatalogueChange): string[] {
  const inOrder = fields.toSorted((one, other) => order.indexOf(one.field) - order.indexOf(other.field));
  const words = (field: string, value: unknown) => valueWords(field, value, currency);
  if (kind === 'changed') {
    return inOrder.map(({ field, before, after }) => `${labelOf(field)}: from ${words(field, before)} to ${words(field, after)}`);
  }
  const sides = inOrder.filter(({ field }) => field !== 'name' && field !== 'currency');
  return [sides.map(({ field, before, after }) => `${labelOf(field)}: ${words(field, after ?? before)}`).join('; ')];
}

function valueWords(field: string, value: unknown, currency: string): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map((point) => `“${point}”`).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  if (field.endsWith('_minor')) return formatMoney(value, currency);
  return field === 'basis_points' ? `${formatNumber(value / 100)} %` : formatNumber(value);
}
