import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { giveBack, isToGiveBack } from './give-back.ts';
import { PaymentRefused, type Standing } from './port.ts';
import { settlePayment } from './settle-payment.ts';
import { getOrder, type OrderRow, updateOrder } from './store/orders.ts';
import { listPaymentsOfOrder, type PaymentRow, updatePayment } from './store/payments.ts';

/**
 * The one way to fulfil an order, for all who come: the person who confirms, the provider's event, the reconciler. It asks
 * the provider how the payment stands, takes what was approved, and settles that in one transaction. It may be called
 * by several at once and any number of times: what was given already is not given again.
 */
export async function fulfilOrder(ctx: Context, orderId: string): Promise<OrderRow> {
  const payments = await listPaymentsOfOrder(ctx.db, orderId);
  for (const payment of payments) {
    const isLatest = payment === payments[0];
    if (isToGiveBack(payment)) await giveBack(ctx, payment.id);
    const standing = await askStanding(ctx, payment, isLatest);
    if (standing)
      await inTransaction(ctx, (inside) =>
        settlePayment(inside, { orderId, paymentId: payment.id, standing }),
      );
  }
  return updateOrder(ctx.db, orderId, { checked_at: ctx.clock.now() });
}

/** An attempt that was followed by another one is looked at, but what was approved there is not taken: it would be paid twice. */
async function askStanding(
  ctx: Context,
  payment: PaymentRow,
  isLatest: boolean,
): Promise<Standing | null> {
  const { provider_ref: ref, provider } = payment;
  if (!ref || payment.refused_at || !ctx.payments[provider]) return null;
  const standing = await ctx.payments[provider].find(ref);
  if (standing?.state === 'approved' && provider === 'wallet' && isLatest)
    return capture(ctx, ref, standing);
  if (!standing && payment.payment_status === 'pending') await giveUp(ctx, payment, isLatest);
  return standing;
}

async function capture(ctx: Context, ref: string, approved: Standing): Promise<Standing | null> {
  const { wallet } = ctx.payments;
  try {
    await wallet?.capture(ref);
  } catch (error) {
    if (error instanceof PaymentRefused)
      return { ...approved, state: 'failed', problem: error.message };
    throw error;
  }
  return wallet?.find(ref) ?? null;
}

/** The provider does not know it any more, so nobody can have paid it. */
async function giveUp(
  ctx: Context,
  { id, order_id }: PaymentRow,
  isLatest: boolean,
): Promise<void> {
  const problem = 'The payment has expired at the provider.';
  await inTransaction(ctx, async ({ db }) => {
    await updatePayment(db, id, { payment_status: 'failed', problem });
    const order = await getOrder(db, order_id);
    if (isLatest && order.payment_status === 'pending')
      await updateOrder(db, order_id, { payment_status: 'failed', problem });
  });
}
