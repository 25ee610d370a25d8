import type { BillingAddress } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { findBillingAddress } from './store.ts';

export async function getBillingAddress(ctx: Context, userId: string): Promise<BillingAddress> {
  return (await findBillingAddress(ctx.db, userId)) ?? {};
}
