import { type CatalogueChange, type CatalogueItem, catalogueLimits } from '@rowmill/contract';
import { refuse } from '../../refusal.ts';
import type { ChangeRow } from './store.ts';

/** Two operators may have the same page open: whoever comes second must see first what the other one did. */
export function refuseOutdated(
  present: { version: number } | null,
  version: number | undefined,
): void {
  if (present && present.version !== version)
    refuse('not_now', {
      message: 'Somebody has changed this since you opened it. Please look at how it stands now.',
    });
}

export function refuseWrong(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) refuse('invalid_input', { fields });
}

interface WantedPlan {
  price_minor: number;
  period_days: number | null;
  is_sold: boolean;
}

/** One plan is free, and everybody begins there: it stays free, on sale and without an end. Every other one has a price and a term. */
export function judgePlan(
  wanted: WantedPlan,
  present: { price_minor: number } | null,
): Record<string, string> {
  const isFree = present?.price_minor === 0;
  const leastPrice = (catalogueLimits.priceMinimumMinor / 100).toFixed(2);
  const wrong: [string, string | false][] = isFree
    ? [
        ['price_minor', wanted.price_minor > 0 && 'The free plan stays free.'],
        ['period_days', wanted.period_days !== null && 'The free plan has no end.'],
        [
          'is_sold',
          !wanted.is_sold && 'The free plan cannot be withdrawn: everybody begins with it.',
        ],
      ]
    : [
        [
          'price_minor',
          wanted.price_minor < catalogueLimits.priceMinimumMinor && `At least ${leastPrice}.`,
        ],
        ['period_days', wanted.period_days === null && 'Please give a number of days.'],
      ];
  return Object.fromEntries(wrong.filter((entry): entry is [string, string] => entry[1] !== false));
}

/** Whether a row is as wanted already: then nothing is written, and the history stays free of changes that are none. */
export function holdsAlready(present: object, wanted: object): boolean {
  const values = new Map(Object.entries(present));
  return Object.entries(wanted).every(([field, value]) => isSame(values.get(field), value));
}

const items: Record<string, CatalogueItem> = { plans: 'plan', packs: 'pack', tax: 'pricing' };
const unshown = new Set(['id', 'version']);

/** What a row of the history says: only the fields that differ. */
export function presentChange({
  id,
  at,
  item,
  before,
  after,
  actor_id,
  actor_name,
}: ChangeRow): CatalogueChange {
  const row = after ?? before ?? {};
  return {
    id: String(id),
    at: at.toISOString(),
    item: items[item] ?? 'pricing',
    name: String(row.name ?? ''),
    kind: before === null ? 'added' : after === null ? 'removed' : 'changed',
    by: actor_id === null ? null : { id: actor_id, name: actor_name ?? '' },
    currency: String(row.currency ?? ''),
    fields: Object.keys(row)
      .filter((field) => !unshown.has(field) && !isSame(before?.[field], after?.[field]))
      .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null })),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
