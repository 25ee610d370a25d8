import { can, getPlans, getUserPlan, type User } from '@rowmill/contract';
import { call } from '../../lib/api/api-client.ts';
import { storage } from '../../lib/storage.ts';
import { chosenPlan } from './chosen-plan.ts';
import { startFreePlan } from './free-plan.ts';

/** Whether a person's plan must be looked up before they can start. */
export function lacksPlan(user: User): boolean {
  return !can(user.role_id, 'useWithoutPlan') && !storage.read('userPlan');
}

/**
 * Stores the plan and billing address of the signed-in person. A person who has not had a plan gets
 * the free one, unless they chose another. `reason`: the server's message when there is no plan.
 */
export async function findOwnPlan({ id: user_id }: User) {
  const { status, plan, billing_address, had_plan, message } = await call(getUserPlan, { user_id });
  storage.write('billingAddress', billing_address);
  if (status && plan) {
    storage.write('userPlan', plan);
    return { isStarted: false, reason: null };
  }
  const chosen = chosenPlan() ?? (had_plan === false ? await findFreePlan() : null);
  if (chosen?.price_minor !== 0) return { isStarted: false, reason: message };
  await startFreePlan(chosen);
  return { isStarted: true, reason: null };
}

async function findFreePlan() {
  const { plans } = await call(getPlans, {});
  return plans.find(({ price_minor }) => price_minor === 0) ?? null;
}
