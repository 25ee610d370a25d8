import type { UserPlan } from '@rowmill/contract';
import { isActingAsSelf, readIdentity } from '../../lib/session.ts';
import { storage } from '../../lib/storage.ts';

/** Stores the person's own plan. A client's plan never replaces the admin's own. */
export function storePlan(plan: UserPlan | null): void {
  const identity = readIdentity();
  if (plan && plan.user_id === identity.user?.id && isActingAsSelf(identity))
    storage.write('userPlan', plan);
}

/**
 * Another device, an admin, a refund or time may have changed the plan. Without a stored one, the
 * root looks it up.
 */
export function correctStoredPlan(userId: string, plan: UserPlan | null): void {
  if (storage.read('userPlan')?.user_id !== userId) return;
  if (plan) storePlan(plan);
  else storage.remove('userPlan');
}
