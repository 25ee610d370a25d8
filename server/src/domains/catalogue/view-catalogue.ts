import type { CallRequest, CatalogueChange } from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { presentChange } from './rules.ts';
import { getPricing, listAllPacks, listAllPlans, listChanges } from './store.ts';

export async function showCatalogue(ctx: Context) {
  const plans = await listAllPlans(ctx.db, ctx.clock.now());
  return { plans, packs: await listAllPacks(ctx.db), pricing: await getPricing(ctx.db) };
}

export async function showHistory(
  ctx: Context,
  _: Actor,
  request: CallRequest<'getCatalogueHistory'>,
) {
  const rows = await listChanges(ctx.db, request);
  return {
    changes: rows.map((row): CatalogueChange => presentChange(row)),
    total: rows[0]?.total ?? 0,
  };
}
