import type { ActingFor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { getBillingAddress } from '../billing/billing-address.ts';
import { findCurrentPlan } from '../plans/find-current-plan.ts';

/** Having no plan is an answer, not an error: the browser goes on to the plans. */
export async function showPlan(ctx: Context, { subjectId }: ActingFor) {
  const plan = await findCurrentPlan(ctx, subjectId);
  const billing_address = await getBillingAddress(ctx, subjectId);
  return {
    status: plan !== null,
    plan,
    billing_address,
    message: plan ? `Your plan is ${plan.name}.` : 'Please choose a plan to go on.',
  };
}
