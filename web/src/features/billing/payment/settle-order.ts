import {
  type AnswerOf,
  buyCredits,
  confirmPayment,
  getUserPlan,
  setPlan,
  type UserPlan,
} from '@rowmill/contract';
import { call } from '../../../lib/api/api-client.ts';
import { storage } from '../../../lib/storage.ts';

export interface Settlement extends AnswerOf<typeof confirmPayment> {
  /** What the order paid for. It may start when another plan ends. */
  plan: UserPlan | null;
  currentPlan: UserPlan | null;
}

/** Polls the payment and claims what it paid for. Webhooks do too; repeating is safe. */
export async function settleOrder(orderId: string, userId: string): Promise<Settlement> {
  const answer = await call(confirmPayment, { order_id: orderId });
  const settled = { ...answer, plan: null, currentPlan: null };
  if (answer.payment_status !== 'paid') return settled;
  if (answer.plan_id) {
    // The browser that placed the order sends the chosen plan as it is stored.
    const stored = storage.read('selectedPlan');
    const chosen = stored?.order_id === orderId ? stored : {};
    const request = { ...chosen, id: answer.plan_id, order_id: orderId };
    const { plan } = await call(setPlan, request);
    const { plan: currentPlan } = await call(getUserPlan, { user_id: userId });
    return { ...settled, plan, currentPlan };
  }
  const { creditsAvailable } = await call(buyCredits, { order_id: orderId });
  return { ...settled, creditsAvailable };
}
