import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { presentPacks, presentTax, presentUserPlan } from './rules.ts';
import { getTax, listPacks, listPlans, listPlansOfClients } from './store.ts';

export async function listOfferedPlans(ctx: Context) {
  return { plans: await listPlans(ctx.db), tax: presentTax(await getTax(ctx.db)) };
}

export async function listOfferedPacks(ctx: Context) {
  return { credits: presentPacks(await listPacks(ctx.db)), tax: presentTax(await getTax(ctx.db)) };
}

export async function listClientPlans(ctx: Context, actor: Actor) {
  const rows = await listPlansOfClients(ctx.db, { adminId: actor.id, now: ctx.clock.now() });
  return { plans: rows.map(presentUserPlan) };
}
