import type { PaymentProvider } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import type { EventHint } from '../../db/billing-tables.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { closeEvent, findOpenEvent } from './store/events.ts';
import { isOrder } from './store/orders.ts';
import { findPaymentByRef, nameLostPayment } from './store/payments.ts';

/** What has happened is not read from the event but asked of the provider; so its age and order do not matter. */
export async function processEvent(
  ctx: Context,
  name: { provider: PaymentProvider; eventId: string },
): Promise<void> {
  const event = await findOpenEvent(ctx.db, name);
  if (!event) return;
  const orderId = await findOrderOf(ctx, event.hint);
  if (orderId) await fulfilOrder(ctx, orderId);
  else
    ctx.log.info(
      { provider: name.provider, kind: event.kind },
      'an event about a payment that is not ours',
    );
  await closeEvent(ctx.db, { ...name, now: ctx.clock.now() });
}

async function findOrderOf(
  ctx: Context,
  { orderId, paymentRef }: EventHint,
): Promise<string | null> {
  const known = paymentRef ? await findPaymentByRef(ctx.db, paymentRef) : undefined;
  if (known) return known.order_id;
  if (!orderId || !(await isOrder(ctx.db, orderId))) return null;
  if (paymentRef) await nameLostPayment(ctx.db, { orderId, providerRef: paymentRef });
  return orderId;
}
