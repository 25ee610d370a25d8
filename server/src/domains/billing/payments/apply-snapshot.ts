import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { newId } from '../../../lib/ids.ts';
import * as texts from '../../../texts/billing.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { moveCredits, reverseGrant } from '../../credits/ledger.ts';
import { findUser } from '../../identity/store/users.ts';
import { notify } from '../../notifications/bell.ts';
import { activatePlan, revokePlan } from '../../plans/subscriptions.ts';
import { invoiceEmail } from '../emails.ts';
import { issueCreditNotes, issueInvoice } from '../invoices/invoices.ts';
import type { PaymentSnapshot } from '../port.ts';
import { findMismatch, shareOf, summariseReversals } from '../rules.ts';
import { lockOrder, type OrderRow, updateOrder } from '../store/orders.ts';
import {
  getPayment,
  listPaymentsOfOrder,
  listReversals,
  mergeReversal,
  type PaymentRow,
  updatePayment,
} from '../store/payments.ts';
import { tellOfFailure, tellOfReversal } from './tell-buyer.ts';

interface PaidOrder {
  order: OrderRow;
  payment: PaymentRow;
}

/**
 * Brings order, submissions, plan and invoices up to a snapshot of the payment, in the caller's
 * transaction. A paid payment stays paid, so snapshots may arrive in any order.
 */
export async function applyPaymentSnapshot(
  ctx: Context,
  {
    orderId,
    paymentId,
    snapshot,
    isAccepted = false,
  }: {
    orderId: string;
    paymentId: string;
    snapshot: PaymentSnapshot;
    /** An operator accepts now how it differs from its order. */
    isAccepted?: boolean;
  },
): Promise<void> {
  const order = await lockOrder(ctx.db, orderId);
  const payment = await getPayment(ctx.db, paymentId);
  await storeReversals(ctx, { order, payment }, snapshot);
  // An operator decides about payments in review.
  if (payment.payment_status === 'review' && !isAccepted)
    return storeReviewProblem(ctx, { order, payment }, snapshot);
  if (payment.refused_at) return;
  if (payment.paid_at) return applyReversals(ctx, { order, payment });
  if (snapshot.state !== 'paid') return storeUnpaidState(ctx, { order, payment }, snapshot);
  const mismatch = isAccepted ? null : await whyReview(ctx, { order, payment }, snapshot);
  if (mismatch) return sendToReview(ctx, { order, payment }, { mismatch, snapshot });
  const paid = await deliver(ctx, { order, payment });
  await applyReversals(ctx, { order: paid, payment });
}

/**
 * As parts of the order's total, rounded up: an operator may have accepted another amount or
 * currency than was ordered.
 */
async function storeReversals(
  ctx: Context,
  { order, payment }: PaidOrder,
  { reversals, amountMinor: receivedMinor }: PaymentSnapshot,
): Promise<void> {
  for (const { ref, kind, state, amountMinor } of reversals)
    await mergeReversal(ctx.db, {
      provider_ref: ref,
      payment_id: payment.id,
      kind,
      state,
      amount_minor: shareOf(order.total_minor, amountMinor, receivedMinor),
    });
}

/** What a buyer paid after deleting their account would reach no one. */
async function whyReview(
  ctx: Context,
  { order, payment }: PaidOrder,
  snapshot: PaymentSnapshot,
): Promise<string | null> {
  if (order.paid_at) return 'paid twice';
  if (!(await findUser(ctx.db, order.user_id))) return 'buyer deleted';
  return findMismatch({ order, payment, isLive: ctx.config.payments.live }, snapshot);
}

/** An unpaid order has the state of its latest attempt. */
async function storeUnpaidState(
  ctx: Context,
  { order, payment }: PaidOrder,
  { state, problem, awaitsBuyer }: PaymentSnapshot,
): Promise<void> {
  // The provider does not repeat why it declined, and the buyer has not seen it yet.
  if (awaitsBuyer && payment.payment_status === 'failed') return;
  const payment_status = state === 'failed' ? ('failed' as const) : ('pending' as const);
  const is_processing = state === 'pending' && !awaitsBuyer;
  const isKnown = payment.payment_status === payment_status && payment.problem === problem;
  if (isKnown && order.is_processing === is_processing) return;
  await updatePayment(ctx.db, payment.id, { payment_status, problem });
  const [latest] = await listPaymentsOfOrder(ctx.db, order.id);
  if (order.paid_at || order.payment_status === 'review' || latest?.id !== payment.id) return;
  await updateOrder(ctx.db, order.id, { payment_status, problem, is_processing });
  if (payment_status !== 'failed') return;
  record(ctx, 'payment_failed', { user_id: order.user_id, order: order.id });
  if (order.is_processing) await tellOfFailure(ctx, order);
}

/** The money does not match the order: nothing is delivered until an operator decides. */
async function sendToReview(
  ctx: Context,
  { order, payment }: PaidOrder,
  { mismatch, snapshot }: { mismatch: string; snapshot: PaymentSnapshot },
): Promise<void> {
  const change = { payment_status: 'review' as const };
  await updatePayment(ctx.db, payment.id, change);
  if (!order.paid_at) await updateOrder(ctx.db, order.id, change);
  await storeReviewProblem(ctx, { order, payment }, snapshot);
  ctx.log.error(
    { order: order.id, payment: payment.id, mismatch },
    'a payment does not match its order',
  );
  record(ctx, 'payment_review', { user_id: order.user_id, order: order.id });
}

/** What the buyer reads about a payment in review, which they may have disputed meanwhile. */
export async function storeReviewProblem(
  ctx: Context,
  { order, payment }: PaidOrder,
  { reversals }: Pick<PaymentSnapshot, 'reversals'>,
): Promise<void> {
  const isDisputed = reversals.some(({ kind, state }) => kind === 'dispute' && state === 'open');
  const problem = payment.refused_at
    ? texts.refundPending(isDisputed)
    : texts.paymentInReview(isDisputed);
  await updatePayment(ctx.db, payment.id, { problem });
  if (!order.paid_at) await updateOrder(ctx.db, order.id, { problem });
}

/** Delivers once: the order is locked, and it is the unique cause of the ledger entry. */
async function deliver(ctx: Context, { order, payment }: PaidOrder): Promise<OrderRow> {
  const { id, user_id: userId, actor_id: actorId, submissions, plan_id, description } = order;
  const change = { payment_status: 'paid' as const, problem: null, paid_at: ctx.clock.now() };
  await updatePayment(ctx.db, payment.id, change);
  const paid = await updateOrder(ctx.db, id, { ...change, granted: submissions });
  if (plan_id) {
    const plan = { id: plan_id, period_days: order.period_days, submissions };
    await activatePlan(ctx, { actorId, subjectId: userId, plan, orderId: id });
  } else if (submissions > 0) {
    await moveCredits(ctx, {
      userId,
      from: 'external',
      to: 'available',
      amount: submissions,
      cause: `order:${id}`,
    });
  }
  await writeAuditEntry(ctx, { actor: { id: actorId }, subjectId: userId }, 'order_paid', {
    order: id,
    description,
  });
  await notify(ctx, {
    userId,
    kind: 'payment',
    text: texts.paymentReceived(description),
    path: `/orders?order=${id}`,
  });
  const number = await issueInvoice(ctx, paid);
  await ctx.enqueue(ctx.db, invoiceEmail({ kind: 'receipt', orderId: id, number }));
  record(ctx, 'order_paid', { user_id: userId, order: id });
  return paid;
}

/**
 * Takes back the share of the submissions that matches the reversed share of the price. It uses the
 * sum of all refunds and disputes, so partial, repeated, late and won ones come out right.
 */
async function applyReversals(ctx: Context, { order, payment }: PaidOrder): Promise<void> {
  const known = await listReversals(ctx.db, payment.id);
  const { reversedMinor, refundedMinor, status } = summariseReversals(known, order.total_minor);
  const takenBack = shareOf(order.granted, reversedMinor, order.total_minor);
  await moveDifference(ctx, order, takenBack - order.taken_back);
  const isGone = reversedMinor === order.total_minor;
  const end = await revokePlan(ctx, { orderId: order.id, isGone });
  const hasPlan = end === null || (end !== undefined && end > ctx.clock.now());
  await tellOfReversal(ctx, {
    order,
    status,
    reversedMinor,
    refundedMinor,
    takenBack,
    hasPlan: hasPlan && isGone !== (order.reversed_minor === order.total_minor),
  });
  const change = { payment_status: status, refunded_minor: refundedMinor };
  await updatePayment(ctx.db, payment.id, change);
  await updateOrder(ctx.db, order.id, {
    ...change,
    reversed_minor: reversedMinor,
    taken_back: takenBack,
  });
  await issueCreditNotes(ctx, order, known, { hasPlan: hasPlan && isGone });
}

async function moveDifference(
  ctx: Context,
  { id, user_id: userId, actor_id: actorId }: OrderRow,
  difference: number,
): Promise<void> {
  if (difference === 0) return;
  const amount = Math.abs(difference);
  const cause = `reverse:${id}:${newId(ctx.clock.now())}`;
  if (difference > 0) await reverseGrant(ctx, { userId, amount, cause });
  else await moveCredits(ctx, { userId, from: 'external', to: 'available', amount, cause });
  const act = difference > 0 ? 'order_reversed' : 'order_restored';
  await writeAuditEntry(ctx, { actor: { id: actorId }, subjectId: userId }, act, {
    order: id,
    submissions: amount,
  });
  record(ctx, act, { user_id: userId, order: id, submissions: amount });
}
