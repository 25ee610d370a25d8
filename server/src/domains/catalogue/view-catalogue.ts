import type { CatalogueChange } from '@rowmill/contract';
import type { Handler } from '../../core/handlers.ts';
import { withTotal } from '../../db/lists.ts';
import { presentChange } from './rules.ts';
import { getPricing, listAllPacks, listAllPlans, listChanges } from './store.ts';

export const showCatalogue: Handler<'getCatalogue'> = async (ctx) => {
  const plans = await listAllPlans(ctx.db, ctx.clock.now());
  return { plans, packs: await listAllPacks(ctx.db), pricing: await getPricing(ctx.db) };
};

export const showHistory: Handler<'getCatalogueHistory'> = async (ctx, _, request) => {
  const { rows, total } = await withTotal(request, (page) => listChanges(ctx.db, page));
  return { changes: rows.map((row): CatalogueChange => presentChange(row)), total };
};
