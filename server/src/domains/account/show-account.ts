import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { getBillingAddress } from '../billing/billing-address.ts';
import { getPerson } from '../identity/get-person.ts';
import { listDevices } from '../identity/list-devices.ts';
import { findCurrentPlan } from '../plans/find-current-plan.ts';

export async function showAccount(ctx: Context, actor: Actor) {
  const { user, pending_email } = await getPerson(ctx, actor.id);
  return {
    user,
    pending_email,
    billing_address: await getBillingAddress(ctx, actor.id),
    plan: await findCurrentPlan(ctx, actor.id),
    sessions: await listDevices(ctx, actor),
  };
}
