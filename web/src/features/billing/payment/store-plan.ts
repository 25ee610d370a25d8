import type { UserPlan } from '@rowmill/contract';
import { chosenPlan, saveChosenPlan } from '../../../entities/plan/chosen-plan.ts';
import { isActingAsSelf, readIdentity } from '../../../lib/session.ts';
import { storage } from '../../../lib/storage.ts';

/** Links the chosen plan to its order, so that it is not paid twice. */
export function markPlanOrdered(orderId: string): void {
  const chosen = chosenPlan();
  if (chosen) saveChosenPlan({ ...chosen, order_id: orderId });
}

/** Drops the order from the choice; the order stays payable. */
export function reopenChoice(): void {
  const { order_id, ...chosen } = chosenPlan() ?? { id: '' };
  if (order_id) saveChosenPlan(chosen);
}

export function removePaidChoice(orderId: string): void {
  if (storage.read('selectedPlan')?.order_id !== orderId) return;
  storage.remove('selectedPlan');
  storage.remove('navigateToBilling');
}

/** Stores the active plan. A client's plan never replaces the admin's own. */
export function storePlan(plan: UserPlan | null): void {
  const identity = readIdentity();
  if (plan && plan.user_id === identity.user?.id && isActingAsSelf(identity))
    storage.write('userPlan', plan);
}
