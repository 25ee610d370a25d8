import type {
  buyCredits,
  confirmPayment,
  getPaymentStatus,
  ParsedRequestOf,
  setPlan,
} from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { invariant, refuse } from '../../refusal.ts';
import { getBalance } from '../credits/get-balance.ts';
import { presentUserPlan } from '../plans/rules.ts';
import { findPlanOfOrder } from '../plans/store.ts';
import { takePlan } from '../plans/take-plan.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { inWords } from './reach-provider.ts';
import { findOrder, type OrderRow } from './store/orders.ts';

/** How the payment stands, and what it brought. Asks the provider, so whoever has just paid need not wait for its event. */
export async function confirmOrder(
  ctx: Context,
  acting: Acting,
  request: ParsedRequestOf<typeof confirmPayment>,
) {
  const order = await lookAt(ctx, acting, request.order_id);
  const { payment_status, problem, type, submissions } = order;
  return {
    payment_status,
    problem,
    type,
    submissions,
    creditsAvailable: await getBalance(ctx, acting.subjectId),
  };
}

/** As last known; asks nobody. */
export async function showPaymentStatus(
  ctx: Context,
  { subjectId }: Acting,
  request: ParsedRequestOf<typeof getPaymentStatus>,
) {
  const order = await findOrder(ctx.db, { id: request.order_id, userId: subjectId });
  if (!order) refuse('not_found');
  return { payment_status: order.payment_status, problem: order.problem };
}

/** The submissions came with the payment; to claim them once more gives the balance, and nothing else. */
export async function claimCredits(
  ctx: Context,
  acting: Acting,
  request: ParsedRequestOf<typeof buyCredits>,
) {
  const order = await lookAt(ctx, acting, request.order_id);
  refuseUnpaid(order);
  const creditsAvailable = await getBalance(ctx, acting.subjectId);
  return {
    creditsAvailable,
    message: `${order.submissions.toLocaleString('en')} submissions are yours.`,
  };
}

/** A free plan is taken as it is; a paid one is the one that the order has paid for, whatever else the request says. */
export async function claimPlan(
  ctx: Context,
  acting: Acting,
  request: ParsedRequestOf<typeof setPlan>,
) {
  if (!request.order_id) return takePlan(ctx, acting, request);
  const order = await lookAt(ctx, acting, request.order_id);
  if (order.type !== 'plan' || order.plan_id !== request.id) refuse('not_found');
  refuseUnpaid(order);
  const plan = await findPlanOfOrder(ctx.db, order.id);
  invariant(plan, 'a paid order of a plan has put it into somebody’s hands');
  return { plan: presentUserPlan(plan), message: `The plan ${plan.name} is yours.` };
}

async function lookAt(ctx: Context, { subjectId }: Acting, orderId: string): Promise<OrderRow> {
  const order = await findOrder(ctx.db, { id: orderId, userId: subjectId });
  if (!order) refuse('not_found');
  return order.paid_at ? order : inWords(fulfilOrder(ctx, order.id));
}

function refuseUnpaid({ paid_at, problem }: OrderRow): void {
  if (!paid_at) refuse('not_paid', problem ? { message: problem } : {});
}
