import type { Handler } from '../../core/handlers.ts';
import { presentPacks, presentTax, presentUserPlans } from './rules.ts';
import { getTax, listPacks, listPlans, listPlansOfClients } from './store.ts';

export const listOfferedPlans: Handler<'getPlans'> = async (ctx) => {
  return { plans: await listPlans(ctx.db), tax: presentTax(await getTax(ctx.db)) };
};

export const listOfferedPacks: Handler<'listCreditsAvailableForPurchase'> = async (ctx) => {
  return { credits: presentPacks(await listPacks(ctx.db)), tax: presentTax(await getTax(ctx.db)) };
};

export const listClientPlans: Handler<'getUsersPlan'> = async (ctx, actor) => {
  const now = ctx.clock.now();
  return presentUserPlans(await listPlansOfClients(ctx.db, { adminId: actor.id, now }), now);
};
