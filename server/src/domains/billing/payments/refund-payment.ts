import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Job } from '../../../jobs/job.ts';
import * as texts from '../../../texts/billing.ts';
import { PaymentRefused, type PaymentSnapshot } from '../port.ts';
import { amountToRefund, awaitsRefund, isFullyRefunded } from '../rules.ts';
import { lockOrder, updateOrder } from '../store/orders.ts';
import { getPayment, type PaymentRow, updatePayment } from '../store/payments.ts';
import { storeReviewProblem } from './apply-snapshot.ts';
import { tellOfRejection } from './tell-buyer.ts';

export function refundPaymentJob(paymentId: string): Job {
  return { name: 'billing.giveback', payload: { paymentId } };
}

/**
 * Refunds a payment that an operator has rejected. Its job, provider events and the reconciler call
 * this until the money is back. It asks the provider what is left to refund, so repeated calls are
 * safe, and a refund in the provider's dashboard counts.
 */
export async function refundPayment(ctx: Context, paymentId: string): Promise<void> {
  const payment = await getPayment(ctx.db, paymentId);
  const provider = ctx.payments.get(payment.provider);
  if (!awaitsRefund(payment) || !provider) return;
  const find = async () => (payment.provider_ref ? provider.find(payment.provider_ref) : null);
  const snapshot = await find();
  if (!snapshot) return storeRefundProblem(ctx, payment, texts.unknownToProvider);
  const amountMinor = amountToRefund(snapshot);
  if (amountMinor > 0) {
    const key = refundKey(payment, snapshot, amountMinor);
    try {
      await provider.refund({ ref: snapshot.ref, amountMinor, key });
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      await storeRefundProblem(ctx, payment, error.message);
    }
  }
  const latest = amountMinor > 0 ? await find() : snapshot;
  if (!latest) return;
  await inTransaction(ctx, (ctx) =>
    isFullyRefunded(latest) ? markRefunded(ctx, payment) : storeProgress(ctx, payment, latest),
  );
}

/** A dispute of the payment may be open, which delays the refund. */
async function storeProgress(
  ctx: Context,
  { id, order_id }: PaymentRow,
  snapshot: PaymentSnapshot,
): Promise<void> {
  const order = await lockOrder(ctx.db, order_id);
  const payment = await getPayment(ctx.db, id);
  if (awaitsRefund(payment)) await storeReviewProblem(ctx, { order, payment }, snapshot);
}

/** Runs once, in the caller's transaction. An order that another payment has paid stays paid. */
export async function markRefunded(
  ctx: Context,
  { id, order_id, user_id }: PaymentRow,
): Promise<void> {
  const order = await lockOrder(ctx.db, order_id);
  if (!awaitsRefund(await getPayment(ctx.db, id))) return;
  const change = { payment_status: 'refunded' as const, problem: texts.refundDone };
  await updatePayment(ctx.db, id, { ...change, refund_problem: null });
  if (!order.paid_at) await updateOrder(ctx.db, order_id, change);
  await tellOfRejection(ctx, order);
  record(ctx, 'payment_given_back', { user_id, order: order_id });
}

/** Providers repeat their answer to a key, refusals too, so a failed refund changes the key. */
function refundKey(
  { id, refund_refusals }: PaymentRow,
  { reversals }: PaymentSnapshot,
  amountMinor: number,
): string {
  const failed = reversals.filter(({ state }) => state === 'returned').length;
  return `giveback:${id}:${refund_refusals}:${failed}:${amountMinor}`;
}

async function storeRefundProblem(
  ctx: Context,
  { id, user_id, order_id, refund_refusals }: PaymentRow,
  problem: string,
) {
  const change = { refund_refusals: refund_refusals + 1, refund_problem: problem };
  await updatePayment(ctx.db, id, change);
  ctx.log.error({ payment: id }, 'the provider refuses to refund a payment');
  record(ctx, 'refund_refused', { user_id, order: order_id });
}
