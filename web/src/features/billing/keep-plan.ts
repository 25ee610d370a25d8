import type { UserPlan } from '@rowmill/contract';
import { chosenPlan, saveChosenPlan } from '../../entities/plan/chosen-plan.ts';
import { isActingAsSelf } from '../../lib/session.ts';
import { storage } from '../../lib/storage.ts';

/** From now on the choice leads to its order, so that nobody pays for it twice. */
export function markPlanOrdered(orderId: string): void {
  const chosen = chosenPlan();
  if (chosen) saveChosenPlan({ ...chosen, order_id: orderId });
}

/** The choice stands as before its order, which stays to be paid another time. */
export function reopenChoice(): void {
  const { order_id, ...chosen } = chosenPlan() ?? { id: '' };
  if (order_id) saveChosenPlan(chosen);
}

/** The plan is in use: nothing is left to choose. A client's plan is not the admin's who bought it for him. */
export function keepPlan(orderId: string, plan: UserPlan | null): void {
  const chosen = storage.read('selectedPlan');
  if (chosen?.order_id === orderId) {
    storage.remove('selectedPlan');
    storage.remove('navigateToBilling');
  }
  const standing = { user: storage.read('currentUser'), switchedAs: storage.read('switchedAs') };
  if (plan && plan.user_id === standing.user?.id && isActingAsSelf(standing))
    storage.write('userPlan', plan);
}
