import { chosenPlan, saveChosenPlan } from '../../../entities/plan/chosen-plan.ts';
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
