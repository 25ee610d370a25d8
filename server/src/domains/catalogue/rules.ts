import { type CatalogueChange, type CatalogueItem, catalogueLimits } from '@rowmill/contract';
import * as texts from '../../texts/catalogue.ts';
import type { ChangeRow } from './store.ts';

interface WantedPlan {
  price_minor: number;
  period_days: number | null;
  is_sold: boolean;
}

/** Everyone starts with the free plan: it is on sale and has no end. Other plans are not free. */
export function validatePlan(
  wanted: WantedPlan,
  present: { price_minor: number } | null,
): Record<string, string> {
  const fields: Record<string, string> = {};
  if (present?.price_minor === 0) {
    if (wanted.price_minor > 0) fields.price_minor = texts.freePlanPrice;
    if (wanted.period_days !== null) fields.period_days = texts.freePlanPeriod;
    if (!wanted.is_sold) fields.is_sold = texts.freePlanSold;
    return fields;
  }
  const { priceMinimumMinor } = catalogueLimits;
  if (wanted.price_minor < priceMinimumMinor)
    fields.price_minor = texts.atLeast((priceMinimumMinor / 100).toFixed(2));
  if (wanted.period_days === null) fields.period_days = texts.daysMissing;
  return fields;
}

/** Whether a row has the wanted values. Saving it would add an empty change to the history. */
export function isUnchanged(present: object, wanted: object): boolean {
  const values = new Map(Object.entries(present));
  return Object.entries(wanted).every(([field, value]) => isSame(values.get(field), value));
}

const items: Record<string, CatalogueItem> = { plans: 'plan', packs: 'pack', tax: 'pricing' };
const hiddenFields = new Set(['id', 'version']);

/** A row of the history with only the fields that differ. */
export function presentChange(row: ChangeRow): CatalogueChange {
  const { before, after, actor_id, actor_name } = row;
  const values = after ?? before ?? {};
  const changed = Object.keys(values).filter(
    (field) => !hiddenFields.has(field) && !isSame(before?.[field], after?.[field]),
  );
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    item: items[row.item] ?? 'pricing',
    name: String(values.name ?? ''),
    kind: before === null ? 'added' : after === null ? 'removed' : 'changed',
    by: actor_id === null ? null : { id: actor_id, name: actor_name ?? '' },
    currency: String(values.currency ?? ''),
    fields: changed.map((field) => ({
      field,
      before: before?.[field] ?? null,
      after: after?.[field] ?? null,
    })),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
