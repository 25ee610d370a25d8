import type { CatalogueChange } from '@rowmill/contract';
import { formatNumber } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import * as texts from '../../texts/operator/catalogue.ts';

const fieldNames: Record<string, string> = texts.changedFields;
const order = Object.keys(fieldNames);
const labelOf = (field: string) => fieldNames[field] ?? field;

/** What was done, as a phrase after the author's name. */
export function actOf({ kind, item, name }: CatalogueChange): string {
  const words = { act: texts.acts[kind], item: texts.items[item] };
  return item === 'pricing' ? texts.actOn(words) : texts.actOnNamed({ ...words, name });
}

/** One line per changed field, with both values; one value for added or removed items. */
export function fieldsOf({ kind, fields, currency }: CatalogueChange): string[] {
  const inOrder = fields.toSorted(
    (one, other) => order.indexOf(one.field) - order.indexOf(other.field),
  );
  const words = (field: string, value: unknown) => valueWords(field, value, currency);
  if (kind === 'changed') {
    return inOrder.map(({ field, before, after }) =>
      texts.fieldWas({
        field: labelOf(field),
        before: words(field, before),
        after: words(field, after),
      }),
    );
  }
  const sides = inOrder.filter(({ field }) => field !== 'name' && field !== 'currency');
  return [
    sides
      .map(({ field, before, after }) =>
        texts.fieldIs({ field: labelOf(field), value: words(field, after ?? before) }),
      )
      .join('; '),
  ];
}

function valueWords(field: string, value: unknown, currency: string): string {
  if (value === null) return texts.noValue;
  if (Array.isArray(value))
    return value.length === 0 ? texts.emptyList : value.map(texts.quoted).join(', ');
  if (typeof value === 'boolean') return value ? texts.isSo : texts.isNotSo;
  if (typeof value !== 'number') return String(value);
  if (field.endsWith('_minor')) return formatMoney(value, currency);
  return field === 'basis_points' ? texts.rate(formatNumber(value / 100)) : formatNumber(value);
}
