import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { invariant, refuse } from '../../../core/refusal.ts';
import * as texts from '../../../texts/billing.ts';
import { countRepaid, getBalance, getBalanceAndDebt } from '../../credits/ledger.ts';
import { presentUserPlan } from '../../plans/rules.ts';
import { findPlanOfOrder } from '../../plans/store.ts';
import { subscribeToFreePlan } from '../../plans/subscriptions.ts';
import { fulfilOrder, mayAskProvider } from '../payments/fulfil-order.ts';
import { asRefusal } from '../payments/providers.ts';
import { isBeingChecked } from '../rules.ts';
import { findOrder, type OrderRow } from '../store/orders.ts';

/** Asks the provider for the payment's state, so that the buyer need not wait for its event. */
export const confirmOrder: Handler<'confirmPayment'> = async (ctx, acting, request) => {
  const order = await refreshOrder(ctx, acting, request.order_id);
  const { payment_status, problem, type, plan_id, submissions } = order;
  const { subjectId: userId } = acting;
  return {
    payment_status,
    problem,
    is_processing: isBeingChecked(order),
    type,
    plan_id,
    submissions,
    repaid: await countRepaid(ctx, { userId, cause: `order:${order.id}` }),
    ...(await getBalanceAndDebt(ctx, userId)),
  };
};

/** The state as last stored, without asking the provider. */
export const showPaymentStatus: Handler<'getPaymentStatus'> = async (
  ctx,
  { subjectId },
  request,
) => {
  const order = await findOrder(ctx.db, { id: request.order_id, userId: subjectId });
  if (!order) refuse('not_found');
  return { payment_status: order.payment_status, problem: order.problem };
};

/** The payment already added the submissions, so claiming them only returns the balance. */
export const claimCredits: Handler<'buyCredits'> = async (ctx, acting, request) => {
  const order = await refreshOrder(ctx, acting, request.order_id);
  assertPaid(order);
  return {
    creditsAvailable: await getBalance(ctx, acting.subjectId),
    message: texts.creditsAdded(order.submissions),
  };
};

/** Activates a free plan, or returns the plan that the order has paid for. */
export const claimPlan: Handler<'setPlan'> = async (ctx, acting, request) => {
  if (!request.order_id) return subscribeToFreePlan(ctx, acting, request);
  const order = await refreshOrder(ctx, acting, request.order_id);
  if (order.type !== 'plan' || order.plan_id !== request.id) refuse('not_found');
  assertPaid(order);
  const plan = await findPlanOfOrder(ctx.db, order.id);
  invariant(plan, 'a paid order of a plan has activated it');
  return { plan: presentUserPlan(plan), message: texts.planBought(plan.name) };
};

async function refreshOrder(
  ctx: Context,
  { subjectId }: ActingFor,
  orderId: string,
): Promise<OrderRow> {
  const order = await findOrder(ctx.db, { id: orderId, userId: subjectId });
  if (!order) refuse('not_found');
  if (order.paid_at || !(await mayAskProvider(ctx, subjectId))) return order;
  return asRefusal(fulfilOrder(ctx, order.id, { isBuyerHere: true }));
}

function assertPaid({ paid_at, problem }: OrderRow): void {
  if (!paid_at) refuse('not_paid', problem ? { message: problem } : {});
}
