import { getAvailableCredits, getUserPlan, getUsersPlan, userList } from '@rowmill/contract';
import { cacheBalance } from '../../../entities/credits/balance.ts';
import { storePlan } from '../../../entities/plan/stored-plan.ts';
import { invalidate } from '../../../lib/api/query.ts';
import type { Settlement } from './settle-order.ts';

/** Updates every cache that shows the purchase. An admin's list says how much they can give. */
export function cachePurchase(
  userId: string,
  data: Pick<Settlement, 'type' | 'currentPlan' | 'creditsAvailable' | 'debt'>,
): void {
  if (data.type === 'plan') {
    storePlan(data.currentPlan);
    void invalidate(getUserPlan);
    void invalidate(getUsersPlan);
  }
  cacheBalance(userId, data);
  void invalidate(getAvailableCredits);
  void invalidate(userList);
}
