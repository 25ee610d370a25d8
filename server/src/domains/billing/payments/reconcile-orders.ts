import type { Context } from '../../../core/context.ts';
import { after, day, minute } from '../../../lib/clock.ts';
import * as texts from '../../../texts/billing.ts';
import { type PaymentProvider, ProviderUnavailable } from '../port.ts';
import { listOpenEvents } from '../store/events.ts';
import { expireOrders, listPaidOrders, listUnpaidOrders, updateOrder } from '../store/orders.ts';
import { listPaymentsToRefund } from '../store/payments.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { processEvent } from './provider-events.ts';
import { refundPayment } from './refund-payment.ts';

/** Per provider and round of five minutes, so that one provider never holds up another. */
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
  await expireOrders(ctx.db, {
    before: after(now, -day),
    checkedSince: after(now, -providerChecksForDays * day),
    problem: texts.notPaidInTime,
  });
  for (const provider of ctx.payments.values())
    await reconcileProvider(ctx, provider).catch((error) => {
      if (!(error instanceof ProviderUnavailable)) throw error;
      ctx.log.warn({ err: error, provider: provider.name }, 'a payment provider does not answer');
    });
}

async function reconcileProvider(
  ctx: Context,
  { name: provider, methods }: PaymentProvider,
): Promise<void> {
  const now = ctx.clock.now();
  const yesterday = after(now, -day);
  for (const method of methods) {
    const unpaid = await listUnpaidOrders(ctx.db, {
      method,
      now,
      since: after(now, -providerChecksForDays * day),
      triedSince: yesterday,
      limit: unpaidPerRound,
    });
    const paid = await listPaidOrders(ctx.db, {
      method,
      since: after(now, -checkedForDays * day),
      checkedBefore: yesterday,
      limit: paidPerRound,
    });
    await forEach(ctx, [...unpaid, ...paid], ({ id }) => checkOrder(ctx, id));
  }
  // Events whose job gave up, for example in a long outage.
  const before = after(now, -eventJobLasts);
  const events = await listOpenEvents(ctx.db, { provider, before, limit: eventsPerRound });
  await forEach(ctx, events, (event) => processEvent(ctx, event));
  const refunds = await listPaymentsToRefund(ctx.db, { provider, limit: refundsPerRound });
  await forEach(ctx, refunds, ({ id }) => refundPayment(ctx, id));
}

/** One that fails does not hold up the others, unless the provider does not answer. */
async function forEach<T>(
  ctx: Context,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  for (const item of items)
    await work(item).catch((error) => {
      if (error instanceof ProviderUnavailable) throw error;
      ctx.log.warn({ err: error, item }, 'an order, event or refund could not be checked');
    });
}

/** An order with another error than an outage waits for its turn. */
async function checkOrder(ctx: Context, id: string): Promise<void> {
  await fulfilOrder(ctx, id).catch(async (error) => {
    if (!(error instanceof ProviderUnavailable))
      await updateOrder(ctx.db, id, { checked_at: ctx.clock.now() });
    throw error;
  });
}
