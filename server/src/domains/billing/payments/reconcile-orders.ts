import { paymentMethods } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { after, day, minute } from '../../../lib/clock.ts';
import * as texts from '../../../texts/billing.ts';
import { ProviderUnavailable } from '../port.ts';
import { listOpenEvents } from '../store/events.ts';
import {
  expireOrders,
  listPaidOrders,
  listUnpaidOrders,
  type OrderRow,
  updateOrder,
} from '../store/orders.ts';
import { listPaymentsToRefund } from '../store/payments.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { processEvent } from './provider-events.ts';
import { refundPayment } from './refund-payment.ts';

/** Per payment method and round of five minutes, so that one provider never holds up another. */
const unpaidPerRound = 100;
/** Checks each of 7,000 orders once a day, with about five calls a minute. */
const paidPerRound = 25;
const refundsPerRound = 25;
const eventsPerRound = 25;
/** Longer than the job of an event and its retries take. */
const eventJobLasts = 30 * minute;
/** The longest that a provider checks a payment, such as a transfer from a bank. */
const providerChecksForDays = 30;
/** Later refunds and disputes are noticed by events only. */
const checkedForDays = 60;

/**
 * Finds unreported payments, refunds and disputes. Also expires orders that were not paid within a
 * day, unless the provider is still checking the payment, and continues refunds that an operator
 * has started.
 */
export async function reconcileOrders(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const yesterday = after(now, -day);
  const since = after(now, -providerChecksForDays * day);
  await expireOrders(ctx.db, {
    before: yesterday,
    checkedSince: since,
    problem: texts.notPaidInTime,
  });
  for (const method of paymentMethods) {
    const unpaid = await listUnpaidOrders(ctx.db, {
      method,
      now,
      since,
      triedSince: yesterday,
      limit: unpaidPerRound,
    });
    const paid = await listPaidOrders(ctx.db, {
      method,
      since: after(now, -checkedForDays * day),
      checkedBefore: yesterday,
      limit: paidPerRound,
    });
    await checkOrders(ctx, [...unpaid, ...paid]);
  }
  await continueEvents(ctx);
  await continueRefunds(ctx);
}

/** Orders of one payment method. Stops when its provider does not answer. Other errors wait. */
async function checkOrders(ctx: Context, orders: readonly Pick<OrderRow, 'id'>[]): Promise<void> {
  for (const { id } of orders) {
    try {
      await fulfilOrder(ctx, id);
    } catch (error) {
      ctx.log.warn({ err: error, order: id }, 'an order could not be checked');
      if (error instanceof ProviderUnavailable) return;
      await updateOrder(ctx.db, id, { checked_at: ctx.clock.now() });
    }
  }
}

/** Events whose job gave up, for example in a long outage of their provider. */
async function continueEvents(ctx: Context): Promise<void> {
  const before = after(ctx.clock.now(), -eventJobLasts);
  for (const event of await listOpenEvents(ctx.db, { before, limit: eventsPerRound }))
    await processEvent(ctx, event).catch((error) =>
      ctx.log.warn({ err: error, event: event.eventId }, 'an event could not be processed'),
    );
}

async function continueRefunds(ctx: Context): Promise<void> {
  for (const { id } of await listPaymentsToRefund(ctx.db, refundsPerRound))
    await refundPayment(ctx, id).catch((error) =>
      ctx.log.warn({ err: error, payment: id }, 'a payment could not be refunded'),
    );
}
