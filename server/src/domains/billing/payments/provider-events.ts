import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { EventHint } from '../../../db/billing-tables.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after, day, minute } from '../../../lib/clock.ts';
import {
  type EventMessage,
  EventRefused,
  type PaymentProvider,
  type ProviderEvent,
} from '../port.ts';
import { closeEvent, deleteEventsBefore, findOpenEvent, insertEvent } from '../store/events.ts';
import { orderExists } from '../store/orders.ts';
import { claimPaymentRef, findPaymentByRef } from '../store/payments.ts';
import { fulfilOrder } from './fulfil-order.ts';

/** Providers repeat an event for a few days at most. */
const eventLifetime = 90 * day;

/** Verifies and stores an event, and leaves the work to a job. False: it proves nothing. */
export async function receiveEvent(
  ctx: Context,
  provider: PaymentProvider,
  message: EventMessage,
): Promise<boolean> {
  const { name } = provider;
  try {
    const { id: eventId, kind, orderId, paymentRef } = storable(await provider.readEvent(message));
    const isDone = orderId === null && paymentRef === null;
    await inTransaction(ctx, async (ctx) => {
      const isNew = await insertEvent(ctx.db, {
        provider: name,
        eventId,
        kind,
        hint: { orderId, paymentRef },
        now: ctx.clock.now(),
        isDone,
      });
      if (isNew && !isDone)
        await ctx.enqueue(ctx.db, { name: 'billing.event', payload: { provider: name, eventId } });
    });
    record(ctx, 'event_received', { provider: name, kind });
    return true;
  } catch (error) {
    if (!(error instanceof EventRefused)) throw error;
    record(ctx, 'event_refused', { provider: name, why: error.message });
    return false;
  }
}

/** Other programs that use the same account choose ids too, and events need not have them. */
function storable({ id, kind, orderId, paymentRef }: ProviderEvent): ProviderEvent {
  if (!isStorable(id) || !isStorable(kind)) throw new EventRefused('not an event');
  return {
    id,
    kind,
    orderId: isStorable(orderId) ? orderId : null,
    paymentRef: isStorable(paymentRef) ? paymentRef : null,
  };
}

function isStorable(text: unknown): boolean {
  return typeof text === 'string' && /^[\x20-\x7e]{1,255}$/.test(text);
}

/** An event only names the payment to ask about, so its age and order do not matter. */
export async function processEvent(
  ctx: Context,
  name: { provider: string; eventId: string },
): Promise<void> {
  const event = await findOpenEvent(ctx.db, name);
  if (!event) return;
  const orderId = await findOrderOf(ctx, name.provider, event.hint);
  const isBuyerHere = event.received_at >= after(ctx.clock.now(), -minute);
  if (orderId) await fulfilOrder(ctx, orderId, { isBuyerHere });
  else
    ctx.log.info(
      { provider: name.provider, kind: event.kind },
      'an event about a payment that is not ours',
    );
  await closeEvent(ctx.db, { ...name, now: ctx.clock.now() });
}

async function findOrderOf(
  ctx: Context,
  provider: string,
  { orderId, paymentRef }: EventHint,
): Promise<string | null> {
  const named = paymentRef === null ? null : { provider, providerRef: paymentRef };
  const known = named && (await findPaymentByRef(ctx.db, named));
  if (known) return known.order_id;
  if (!orderId || !(await orderExists(ctx.db, orderId))) return null;
  if (named) await claimPaymentRef(ctx.db, { orderId, ...named });
  return orderId;
}

export async function deleteOldEvents(ctx: Context): Promise<void> {
  await deleteEventsBefore(ctx.db, after(ctx.clock.now(), -eventLifetime));
}
