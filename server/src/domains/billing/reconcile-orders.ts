import type { Context } from '../../context.ts';
import { after, day } from '../../lib/clock.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { deleteEventsBefore } from './store/events.ts';
import { giveUpOrders, listPendingOrders } from './store/orders.ts';

const ordersAtOnce = 100;
/** Providers repeat an event for some days at most. */
const eventLifetime = 90 * day;

/** Looks after orders of which no event tells: what was paid is given, what nobody has paid in a day is given up. */
export async function reconcileOrders(ctx: Context): Promise<void> {
  const yesterday = after(ctx.clock.now(), -day);
  await giveUpOrders(ctx.db, { before: yesterday, problem: 'It was not paid within a day.' });
  for (const { id } of await listPendingOrders(ctx.db, { since: yesterday, limit: ordersAtOnce })) {
    try {
      await fulfilOrder(ctx, id);
    } catch (error) {
      ctx.log.warn({ err: error, order: id }, 'a pending order could not be looked at');
    }
  }
}

export async function forgetEvents(ctx: Context): Promise<void> {
  await deleteEventsBefore(ctx.db, after(ctx.clock.now(), -eventLifetime));
}
