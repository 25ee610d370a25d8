import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import type { Job } from '../../jobs/job.ts';
import { PaymentRefused, type Standing } from './port.ts';
import { isGivenBack, stillToGiveBack } from './rules.ts';
import { lockOrder, updateOrder } from './store/orders.ts';
import { getPayment, type PaymentRow, updatePayment } from './store/payments.ts';
import { refusalMail } from './tell-refusal.ts';

export function giveBackJob(paymentId: string): Job {
  return { name: 'billing.giveback', payload: { paymentId } };
}

/**
 * Gives the money of a refused payment back. What an operator has decided stands in the payment, and what has gone back is
 * asked of the provider, so this may be called by several at once and any number of times: by its job, by an event about
 * the payment, and by the reconciler until it is done. What somebody gave back at the provider himself counts.
 */
export async function giveBack(ctx: Context, paymentId: string): Promise<void> {
  const payment = await getPayment(ctx.db, paymentId);
  const provider = ctx.payments[payment.provider];
  if (!isToGiveBack(payment) || !provider) return;
  const find = async () => (payment.provider_ref ? provider.find(payment.provider_ref) : null);
  const standing = await find();
  if (!standing)
    return noteRefusal(ctx, payment, 'The provider does not know this payment any more.');
  const amountMinor = stillToGiveBack(standing);
  if (amountMinor > 0) {
    try {
      await provider.giveBack({
        ref: standing.ref,
        amountMinor,
        key: keyOf(payment, standing, amountMinor),
      });
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      await noteRefusal(ctx, payment, error.message);
    }
  }
  const now = amountMinor > 0 ? await find() : standing;
  if (now && isGivenBack(now))
    await inTransaction(ctx, (inside) => closeGivenBack(inside, payment));
}

/** In the transaction of the caller, and once. An order that another payment has paid stays as it is. */
export async function closeGivenBack(
  ctx: Context,
  { id, order_id, user_id }: PaymentRow,
): Promise<void> {
  const order = await lockOrder(ctx.db, order_id);
  if (!isToGiveBack(await getPayment(ctx.db, id))) return;
  const problem =
    'This payment did not fit its order and was not accepted. The money has gone back to you.';
  const change = { payment_status: 'refunded' as const, problem };
  await updatePayment(ctx.db, id, { ...change, give_back_problem: null });
  if (!order.paid_at) await updateOrder(ctx.db, order_id, change);
  await ctx.enqueue(ctx.db, refusalMail(order_id));
  record(ctx, 'payment_given_back', { user_id, order: order_id });
}

export function isToGiveBack({ payment_status, refused_at }: PaymentRow): boolean {
  return refused_at !== null && payment_status === 'review';
}

/** Providers repeat their answer to the same key, a refusal too; so another try is named anew only when nothing came of the last one. */
function keyOf(payment: PaymentRow, { reversals }: Standing, amountMinor: number): string {
  const failed = reversals.filter(({ state }) => state === 'returned').length;
  return `giveback:${payment.id}:${payment.give_back_refusals}:${failed}:${amountMinor}`;
}

async function noteRefusal(
  ctx: Context,
  { id, user_id, order_id, give_back_refusals: before }: PaymentRow,
  words: string,
) {
  await updatePayment(ctx.db, id, { give_back_refusals: before + 1, give_back_problem: words });
  ctx.log.error({ payment: id, words }, 'the provider refuses to give the money of a payment back');
  record(ctx, 'give_back_refused', { user_id, order: order_id });
}
