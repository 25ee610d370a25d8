import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import type { NewPayment, OpenPayment } from './port.ts';
import { inWords, providerFor } from './reach-provider.ts';
import type { OrderRow } from './store/orders.ts';
import { listPaymentsOfOrder, type PaymentRow, updatePayment } from './store/payments.ts';

/**
 * The payment of an order at its provider: made, or found again. Its id names it there, so that a call whose answer was
 * lost makes no second one. Never inside a transaction.
 */
export async function openPayment(ctx: Context, order: OrderRow): Promise<OpenPayment> {
  const provider = providerFor(ctx, order.provider);
  const [payment] = await listPaymentsOfOrder(ctx.db, order.id);
  if (!payment) refuse('not_found');
  const known = payment.provider_ref && (await inWords(provider.find(payment.provider_ref)));
  if (known) return known;
  const open = await inWords(provider.open(newPayment(ctx, order, payment)));
  await updatePayment(ctx.db, payment.id, { provider_ref: open.ref, merchant: open.merchant });
  return open;
}

function newPayment(ctx: Context, order: OrderRow, payment: PaymentRow): NewPayment {
  const { publicUrl } = ctx.config.http;
  const back = `${publicUrl}/${order.type === 'plan' ? 'auth/billing' : 'checkout'}?order_id=${order.id}`;
  return {
    paymentId: payment.id,
    orderId: order.id,
    userId: order.user_id,
    totalMinor: order.total_minor,
    currency: order.currency,
    description: `${ctx.config.operator.product}: ${order.description}`,
    returnUrl: back,
    cancelUrl: `${back}&cancelled=1`,
  };
}
