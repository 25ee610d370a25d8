import type { PaymentProvider } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { after, day } from '../../lib/clock.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { giveBack } from './give-back.ts';
import { ProviderUnavailable } from './port.ts';
import { resumableDays } from './rules.ts';
import { deleteEventsBefore } from './store/events.ts';
import { giveUpOrders, listPaidOrders, listUnpaidOrders, updateOrder } from './store/orders.ts';
import { listPaymentsToGiveBack } from './store/reviews.ts';

/** In one round, every five minutes: what may be paid at this moment is looked at sooner than what was paid. */
const unpaidAtOnce = 100;
/** At this pace each order of 7,000 is asked about once a day, with about five calls a minute. */
const paidAtOnce = 25;
const givenBackAtOnce = 25;
/** A refund or dispute that comes later than this and of which no event tells, nobody looks for. */
const lookedAfterDays = 60;
/** Providers repeat an event for some days at most. */
const eventLifetime = 90 * day;

/**
 * Looks after orders of which no event tells: what was paid is given, what was refunded or disputed is taken back, and what
 * nobody has paid in a day is given up. What an operator has refused is given back.
 */
export async function reconcileOrders(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const yesterday = after(now, -day);
  await giveUpOrders(ctx.db, { before: yesterday, problem: 'It was not paid within a day.' });
  const since = after(now, -(resumableDays + 1) * day);
  const unpaid = await listUnpaidOrders(ctx.db, {
    since,
    triedSince: yesterday,
    limit: unpaidAtOnce,
  });
  const paidSince = after(now, -lookedAfterDays * day);
  const paid = await listPaidOrders(ctx.db, {
    since: paidSince,
    checkedBefore: yesterday,
    limit: paidAtOnce,
  });
  await lookAt(ctx, [...unpaid, ...paid]);
  await giveBackRefused(ctx);
}

interface Looked {
  id: string;
  provider: PaymentProvider;
}

/** Of a provider that does not answer, nothing more is asked in this round. An order that makes trouble goes behind the others. */
async function lookAt(ctx: Context, orders: readonly Looked[]): Promise<void> {
  const silent = new Set<PaymentProvider>();
  for (const { id, provider } of orders) {
    if (silent.has(provider)) continue;
    try {
      await fulfilOrder(ctx, id);
    } catch (error) {
      ctx.log.warn({ err: error, order: id }, 'an order could not be looked at');
      if (error instanceof ProviderUnavailable) silent.add(provider);
      else await updateOrder(ctx.db, id, { checked_at: ctx.clock.now() });
    }
  }
}

async function giveBackRefused(ctx: Context): Promise<void> {
  for (const { id } of await listPaymentsToGiveBack(ctx.db, givenBackAtOnce))
    await giveBack(ctx, id).catch((error) =>
      ctx.log.warn({ err: error, payment: id }, 'a payment could not be given back'),
    );
}

export async function forgetEvents(ctx: Context): Promise<void> {
  await deleteEventsBefore(ctx.db, after(ctx.clock.now(), -eventLifetime));
}
