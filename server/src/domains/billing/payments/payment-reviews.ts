import type { Review } from '@rowmill/contract';
import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { withTotal } from '../../../db/lists.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/billing.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { findUser } from '../../identity/store/users.ts';
import type { PaymentSnapshot, Reversal } from '../port.ts';
import { awaitsRefund, findMismatch } from '../rules.ts';
import { getOrder, lockOrder, type OrderRow, updateOrder } from '../store/orders.ts';
import {
  findPayment,
  getPayment,
  listPaymentsInReview,
  type PaymentRow,
  updatePayment,
} from '../store/payments.ts';
import { applyPaymentSnapshot } from './apply-snapshot.ts';
import { asRefusal, providerOf } from './providers.ts';
import { markRefunded, refundPaymentJob } from './refund-payment.ts';

type ReviewRow = Awaited<ReturnType<typeof listPaymentsInReview>>[number];

/** Asks the provider for each payment now, because the operator decides on its present state. */
export const listReviews: Handler<'getReviews'> = async (ctx, _, request) => {
  const { rows, total } = await withTotal(request, (page) => listPaymentsInReview(ctx.db, page));
  return { reviews: await Promise.all(rows.map((row) => presentReview(ctx, row))), total };
};

async function presentReview(ctx: Context, row: ReviewRow): Promise<Review> {
  const order = await getOrder(ctx.db, row.order_id);
  const snapshot = await findSnapshot(ctx, row);
  const isPaidTwice = order.paid_at !== null;
  const mismatch =
    snapshot && findMismatch({ order, payment: row, isLive: ctx.config.payments.live }, snapshot);
  return {
    payment_id: row.id,
    order_id: order.id,
    provider: order.payment_method,
    provider_ref: row.provider_ref,
    created_at: row.created_at.toISOString(),
    person: { id: row.user_id, name: row.person_name, email: row.person_email },
    description: order.description,
    submissions: order.submissions,
    expected: { amount_minor: order.total_minor, currency: order.currency },
    came: snapshot && presentSnapshot(snapshot),
    differs: [
      ...(isPaidTwice ? ['paid twice'] : []),
      ...(row.person_deleted_at ? ['buyer deleted'] : []),
      ...(mismatch?.split(', ') ?? []),
    ],
    refused_at: row.refused_at?.toISOString() ?? null,
    give_back_problem: row.refund_problem,
    can_accept:
      !row.refused_at && !isPaidTwice && !row.person_deleted_at && snapshot?.state === 'paid',
  };
}

/** Null when the provider does not answer: the rest of the list is still useful. */
async function findSnapshot(
  ctx: Context,
  { provider, provider_ref: ref }: ReviewRow,
): Promise<PaymentSnapshot | null> {
  try {
    return ref ? ((await ctx.payments.get(provider)?.find(ref)) ?? null) : null;
  } catch (error) {
    ctx.log.warn({ err: error, provider }, 'a provider did not report a payment in review');
    return null;
  }
}

function presentSnapshot({
  amountMinor,
  currency,
  isLive,
  reversals,
}: PaymentSnapshot): Review['came'] {
  const gone = reversals.filter(({ state }) => state !== 'returned');
  const isDisputed = ({ kind, state }: Reversal) => kind === 'dispute' && state === 'open';
  const sum = (of: readonly Reversal[]) => of.reduce((all, one) => all + one.amountMinor, 0);
  return {
    amount_minor: amountMinor,
    currency,
    refunded_minor: sum(gone.filter((one) => !isDisputed(one))),
    disputed_minor: sum(gone.filter(isDisputed)),
    is_live: isLive,
  };
}

/** An operator decides once about a payment that does not match its order. */
export const decideReview: Handler<'decideReview'> = async (ctx, actor, request) => {
  const { decision, reason } = request;
  const payment = await findPayment(ctx.db, request.payment_id);
  if (!payment) refuse('not_found');
  if (decision === 'given_back') return closeReview(ctx, actor, { payment, reason });
  assertUndecided(payment);
  const isAccepted = decision === 'accept';
  const snapshot = isAccepted ? await getPaidSnapshot(ctx, payment) : null;
  await inTransaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx.db, payment.order_id);
    assertUndecided(await getPayment(ctx.db, payment.id));
    if (snapshot) await acceptPayment(ctx, { order, payment, snapshot });
    else await rejectPayment(ctx, { order, payment });
    const act = isAccepted ? 'payment_accepted' : 'payment_refused';
    await writeAuditEntry(ctx, { actor, subjectId: order.user_id }, act, {
      order: order.id,
      payment: payment.id,
      reason,
    });
    record(ctx, act, { user_id: order.user_id, actor_id: actor.id, order: order.id });
  });
  return { message: isAccepted ? texts.reviewAccepted : texts.reviewRejected };
};

/** For payments that the provider does not refund: the operator returned the money. */
async function closeReview(
  ctx: Context,
  actor: Actor,
  { payment, reason }: { payment: PaymentRow; reason: string },
) {
  await inTransaction(ctx, async (ctx) => {
    const order = await lockOrder(ctx.db, payment.order_id);
    if (!awaitsRefund(await getPayment(ctx.db, payment.id)))
      refuse('not_now', { message: texts.noRefundPending });
    await markRefunded(ctx, payment);
    await writeAuditEntry(ctx, { actor, subjectId: order.user_id }, 'payment_given_back', {
      order: order.id,
      payment: payment.id,
      reason,
    });
  });
  return { message: texts.reviewClosed };
}

function assertUndecided({ payment_status, refused_at }: PaymentRow): void {
  if (payment_status !== 'review' || refused_at)
    refuse('not_now', { message: texts.reviewDecided });
}

/** An operator may accept any difference except missing money. */
async function getPaidSnapshot(ctx: Context, payment: PaymentRow): Promise<PaymentSnapshot> {
  const { provider_ref: ref } = payment;
  const snapshot = ref ? await asRefusal(providerOf(ctx, payment).find(ref)) : null;
  if (snapshot?.state !== 'paid') refuse('not_now', { message: texts.notPaidAtProvider });
  return snapshot;
}

interface ReviewedPayment {
  order: OrderRow;
  payment: PaymentRow;
}

async function acceptPayment(
  ctx: Context,
  { order, payment, snapshot }: ReviewedPayment & { snapshot: PaymentSnapshot },
): Promise<void> {
  if (order.paid_at) refuse('not_now', { message: texts.orderPaidAlready });
  if (!(await findUser(ctx.db, order.user_id))) refuse('not_now', { message: texts.noBuyer });
  await applyPaymentSnapshot(ctx, {
    orderId: order.id,
    paymentId: payment.id,
    snapshot,
    isAccepted: true,
  });
}

/** The payment stays in review until a job has refunded it, outside the transaction. */
async function rejectPayment(ctx: Context, { order, payment }: ReviewedPayment): Promise<void> {
  const problem = texts.refundPending(false);
  await updatePayment(ctx.db, payment.id, { problem, refused_at: ctx.clock.now() });
  if (!order.paid_at) await updateOrder(ctx.db, order.id, { problem });
  await ctx.enqueue(ctx.db, refundPaymentJob(payment.id));
}
