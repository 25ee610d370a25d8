import type { Context } from '../../core/context.ts';
import { deleteBillingAddress } from './store/billing-addresses.ts';
import { clearOrderAddresses, lockOrdersOf } from './store/orders.ts';

/**
 * Removes name and address from a person's orders. The law requires the issued invoices. Needs a
 * transaction without locks on balances yet: fulfilling an order locks in this order.
 */
export async function forgetBuyer(ctx: Context, userId: string): Promise<void> {
  await lockOrdersOf(ctx.db, userId);
  await clearOrderAddresses(ctx.db, userId);
  await deleteBillingAddress(ctx.db, userId);
}
