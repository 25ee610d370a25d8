import type { Context } from '../../context.ts';
import { blankAddressesOf, lockOrdersOf } from './store/own-data.ts';
import { deleteBillingAddress } from './store.ts';

/**
 * Orders stay without the name and the address that came with them; what the law wants kept stands in the frozen papers,
 * which nothing changes. Belongs into a transaction, before whatever locks balances: who settles an order does it so, too.
 */
export async function forgetBuyer(ctx: Context, userId: string): Promise<void> {
  await lockOrdersOf(ctx.db, userId);
  await blankAddressesOf(ctx.db, userId);
  await deleteBillingAddress(ctx.db, userId);
}
