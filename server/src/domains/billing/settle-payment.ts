import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { moveCredits } from '../credits/move-credits.ts';
import { beginPlan } from '../plans/begin-plan.ts';
import { applyReversals } from './apply-reversals.ts';
import { issueInvoice } from './issue-paper.ts';
import { billingMail } from './mails.ts';
import type { Standing } from './port.ts';
import { findMismatch } from './rules.ts';
import { lockOrder, type OrderRow, updateOrder } from './store/orders.ts';
import {
  getPayment,
  listPaymentsOfOrder,
  type PaymentRow,
  updatePayment,
} from './store/payments.ts';

interface Settling {
  orderId: string;
  paymentId: string;
  standing: Standing;
}

/**
 * Brings order, submissions, plan and papers to what the provider says of a payment, in the transaction of the caller. What is
 * known only grows: a payment that was paid is never unpaid by older news, so the order of arrival does not matter.
 */
export async function settlePayment(
  ctx: Context,
  { orderId, paymentId, standing }: Settling,
): Promise<void> {
  const order = await lockOrder(ctx.db, orderId);
  const payment = await getPayment(ctx.db, paymentId);
  // What an operator looks at, or has turned down, waits for nobody's older news.
  if (payment.payment_status === 'review' || payment.refused_at) return;
  if (payment.paid_at)
    return applyReversals(ctx, { order, payment, reversals: standing.reversals });
  if (standing.state !== 'paid') return noteState(ctx, { order, payment, standing });
  const isPaidTwice = order.paid_at !== null;
  const mismatch = isPaidTwice
    ? 'paid twice'
    : findMismatch({ order, payment, isLive: ctx.config.payments.live }, standing);
  if (mismatch) return setAside(ctx, { order, payment, mismatch });
  const paid = await grant(ctx, { order, payment });
  await applyReversals(ctx, { order: paid, payment, reversals: standing.reversals });
}

interface Case {
  order: OrderRow;
  payment: PaymentRow;
}

/** An order that is not paid stands as its latest attempt does; what becomes of an earlier one is that one's matter. */
async function noteState(
  ctx: Context,
  { order, payment, standing }: Case & { standing: Standing },
): Promise<void> {
  const payment_status = standing.state === 'failed' ? ('failed' as const) : ('pending' as const);
  const change = { payment_status, problem: standing.problem };
  if (payment.payment_status === payment_status && payment.problem === standing.problem) return;
  await updatePayment(ctx.db, payment.id, change);
  const [latest] = await listPaymentsOfOrder(ctx.db, order.id);
  if (order.paid_at || order.payment_status === 'review' || latest?.id !== payment.id) return;
  await updateOrder(ctx.db, order.id, change);
  if (payment_status === 'failed')
    record(ctx, 'payment_failed', { user_id: order.user_id, order: order.id });
}

/** Money has come, but not as ordered. Nothing is given, and nothing is guessed: the operator looks at it. */
async function setAside(
  ctx: Context,
  { order, payment, mismatch }: Case & { mismatch: string },
): Promise<void> {
  const change = {
    payment_status: 'review' as const,
    problem: 'This payment is being checked. We will write to you.',
  };
  await updatePayment(ctx.db, payment.id, change);
  if (!order.paid_at) await updateOrder(ctx.db, order.id, change);
  ctx.log.error(
    { order: order.id, payment: payment.id, mismatch },
    'a payment does not fit its order',
  );
  record(ctx, 'payment_review', { user_id: order.user_id, order: order.id });
}

/** The submissions have the order as their cause, and a cause gives once; the row lock lets no second one come so far. */
async function grant(ctx: Context, { order, payment }: Case): Promise<OrderRow> {
  const { id, user_id: userId, actor_id: actorId, submissions, plan_id, description } = order;
  const now = ctx.clock.now();
  const change = { payment_status: 'paid' as const, problem: null, paid_at: now };
  await updatePayment(ctx.db, payment.id, change);
  const paid = await updateOrder(ctx.db, id, { ...change, granted: submissions });
  if (plan_id) {
    const plan = { id: plan_id, period_days: order.period_days, submissions };
    await beginPlan(ctx, { actorId, subjectId: userId, plan, orderId: id });
  } else if (submissions > 0) {
    await moveCredits(ctx, {
      userId,
      from: 'world',
      to: 'available',
      amount: submissions,
      cause: `order:${id}`,
    });
  }
  await writeAuditEntry(ctx, {
    actorId,
    subjectId: userId,
    act: 'order_paid',
    detail: { order: id, description },
  });
  const number = await issueInvoice(ctx, paid);
  await ctx.enqueue(ctx.db, billingMail({ kind: 'receipt', orderId: id, number }));
  record(ctx, 'order_paid', { user_id: userId, order: id });
  return paid;
}
