import type { Context } from '../../context.ts';
import { after, day } from '../../lib/clock.ts';
import { getBalance } from '../credits/get-balance.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { listUnpaidOrdersOf } from './store/orders.ts';

/**
 * A person's own orders that may be paid without our knowing are looked at now. Inside a transaction no provider may be
 * asked; there a job does it, and the balance follows by push.
 */
export async function settlePaidOrders(
  ctx: Context,
  userId: string,
): Promise<{ creditsAvailable: number }> {
  for (const { id } of await listUnpaidOrdersOf(ctx.db, {
    userId,
    since: after(ctx.clock.now(), -day),
  })) {
    if (ctx.db.isTransaction)
      await ctx.enqueue(ctx.db, { name: 'billing.fulfil', payload: { orderId: id } });
    else
      await fulfilOrder(ctx, id).catch((error) =>
        ctx.log.warn({ err: error, order: id }, 'an order could not be looked at'),
      );
  }
  return { creditsAvailable: await getBalance(ctx, userId) };
}
