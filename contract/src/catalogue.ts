import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import { count, currency, id, instant, line, minor, page, wholeNumber } from './fields.ts';
import { plan } from './plans.ts';

/** Currencies of both providers with two decimal places: a stored price means the same in each. */
export const saleCurrencies = [
  'AUD',
  'CAD',
  'CHF',
  'CZK',
  'DKK',
  'EUR',
  'GBP',
  'HKD',
  'ILS',
  'MXN',
  'NOK',
  'NZD',
  'PHP',
  'PLN',
  'SEK',
  'SGD',
  'THB',
  'USD',
] as const;

export const catalogueLimits = {
  name: 60,
  /** Plans, and packs: everyone's page lists them all. */
  onSale: 50,
  /** Payment providers refuse smaller amounts. */
  priceMinimumMinor: 100,
  /** Payment providers refuse larger amounts. */
  priceMaximumMinor: 99_999_999,
  submissions: 10_000_000,
  /** Ten years. */
  periodDays: 3660,
  features: 12,
  feature: 120,
  position: 1000,
} as const;

function money(leastMinor: number) {
  const decimal = (amount: number) =>
    (amount / 100).toLocaleString('en', { minimumFractionDigits: 2 });
  return z
    .int('Must be an amount such as 12.50.')
    .check(
      z.gte(leastMinor, `At least ${decimal(leastMinor)}.`),
      z.lte(
        catalogueLimits.priceMaximumMinor,
        `At most ${decimal(catalogueLimits.priceMaximumMinor)}.`,
      ),
    );
}

/** What operators see besides: withdrawn items too, and the version that `save…` must name. */
const listed = { position: z.int(), is_sold: z.boolean(), version: z.int() };

export const cataloguePlan = z.extend(plan, { ...listed, holders: count });
export type CataloguePlan = z.infer<typeof cataloguePlan>;

export const cataloguePack = z.object({
  id,
  name: z.string(),
  count,
  rate_minor: minor,
  currency,
  ...listed,
});
export type CataloguePack = z.infer<typeof cataloguePack>;

export const pricing = z.object({
  currency,
  tax_name: z.string(),
  basis_points: z.int(),
  version: z.int(),
});
export type Pricing = z.infer<typeof pricing>;

/** Without an id the item is new. Saving over a newer version than the read one is refused. */
const saved = {
  id: z.optional(id),
  version: z.optional(wholeNumber(1, 2_147_483_647)),
  name: line(catalogueLimits.name),
  position: wholeNumber(1, catalogueLimits.position),
  is_sold: z.boolean('Must be true or false.'),
};

export const getCatalogue = call({
  host: 'plan',
  path: '/api/getCatalogue',
  summary:
    'All plans and packs, also withdrawn ones, with the currency of all prices and the tax they include.',
  requires: 'viewInstallation',
  answer: z.object({ plans: z.array(cataloguePlan), packs: z.array(cataloguePack), pricing }),
});

export const savePlan = call({
  host: 'plan',
  path: '/api/savePlan',
  summary: 'Adds or changes a plan. Existing orders and subscriptions keep their terms.',
  requires: 'editCatalogue',
  request: z.object({
    ...saved,
    price_minor: money(0),
    period_days: z.nullable(wholeNumber(1, catalogueLimits.periodDays)),
    submissions: wholeNumber(0, catalogueLimits.submissions),
    features: z
      .array(line(catalogueLimits.feature), 'Must be a list.')
      .check(z.maxLength(catalogueLimits.features, `At most ${catalogueLimits.features} of them.`)),
    highlighted: z.boolean('Must be true or false.'),
  }),
  answer: z.object({ plan: cataloguePlan }),
  refusals: ['not_found', 'not_now'],
});

export const savePack = call({
  host: 'plan',
  path: '/api/savePack',
  summary: 'Adds or changes a pack of submissions. Existing orders keep their price.',
  requires: 'editCatalogue',
  request: z.object({
    ...saved,
    count: wholeNumber(1, catalogueLimits.submissions),
    rate_minor: money(catalogueLimits.priceMinimumMinor),
  }),
  answer: z.object({ pack: cataloguePack }),
  refusals: ['not_found', 'not_now'],
});

export const savePricing = call({
  host: 'plan',
  path: '/api/savePricing',
  summary: 'Changes the currency of all prices, without converting them, and the tax they include.',
  requires: 'editCatalogue',
  request: z.object({
    version: wholeNumber(1, 2_147_483_647),
    currency: z.enum(saleCurrencies, 'Choose a currency from the list.'),
    tax_name: line(20),
    /** Hundredths of a percent. */
    basis_points: z
      .int('Must be a percentage such as 20 or 17.5.')
      .check(z.gte(0, 'At least 0%.'), z.lte(10_000, 'At most 100%.')),
  }),
  answer: z.object({ pricing }),
  refusals: ['not_now'],
});

export const catalogueItems = ['plan', 'pack', 'pricing'] as const;
export type CatalogueItem = (typeof catalogueItems)[number];

/** One change. `by` is null for changes made by an upgrade or directly in the database. */
export const catalogueChange = z.object({
  id,
  at: instant,
  item: z.enum(catalogueItems),
  name: z.string(),
  kind: z.enum(['added', 'changed', 'removed']),
  by: z.nullable(z.object({ id, name: z.string() })),
  currency,
  fields: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type CatalogueChange = z.infer<typeof catalogueChange>;

export const getCatalogueHistory = call({
  host: 'plan',
  path: '/api/getCatalogueHistory',
  summary:
    'The changes of the catalogue with author, date and values before and after, newest first.',
  requires: 'viewInstallation',
  request: z.object({ start: page.start, limit: page.limit }),
  answer: z.object({ changes: z.array(catalogueChange), total: count }),
});
