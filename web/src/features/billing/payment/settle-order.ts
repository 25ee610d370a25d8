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

export type Settlement = AnswerOf<typeof confirmPayment> & { plan: UserPlan | null };

/** Polls the payment and claims what it paid for. Webhooks do too; repeating is safe. */
export async function settleOrder(orderId: string, userId: string): Promise<Settlement> {
  const answer = await call(confirmPayment, { order_id: orderId });
  if (answer.payment_status !== 'paid') return { ...answer, plan: null };
  if (answer.type === 'plan') return { ...answer, plan: await claimPlan(orderId, userId) };
  const { creditsAvailable } = await call(buyCredits, { order_id: orderId });
  return { ...answer, creditsAvailable, plan: null };
}

/** Only the browser that placed the order knows the chosen plan; other browsers ask the server. */
async function claimPlan(orderId: string, userId: string): Promise<UserPlan | null> {
  const chosen = storage.read('selectedPlan');
  if (chosen?.order_id !== orderId) return (await call(getUserPlan, { user_id: userId })).plan;
  return (await call(setPlan, { ...(chosen as { id: string }), order_id: orderId })).plan;
}
