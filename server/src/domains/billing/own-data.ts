import type { Context } from '../../core/context.ts';
import { deleteBillingAddress } from './store/billing-addresses.ts';
import { clearOrderAddresses, lockOrdersOf } from './store/orders.ts';

/**
 * Removes name and address from a person's orders. The frozen invoices stay, because the law requires them. Belongs in a
 * transaction, before any lock on balances: fulfilling an order locks in the same sequence.
 */
export async function forgetBuyer(ctx: Context, userId: string): Promise<void> {
  await lockOrdersOf(ctx.db, userId);
  await clearOrderAddresses(ctx.db, userId);
  await deleteBillingAddress(ctx.db, userId);
}
