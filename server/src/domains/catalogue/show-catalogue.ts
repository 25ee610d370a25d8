import type { Context } from '../../context.ts';
import { getPricing, listAllPacks, listAllPlans } from './store.ts';

export async function showCatalogue(ctx: Context) {
  const plans = await listAllPlans(ctx.db, ctx.clock.now());
  return { plans, packs: await listAllPacks(ctx.db), pricing: await getPricing(ctx.db) };
}
