import type { BillingAddress } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { lockOwner } from '../../db/owners.ts';
import { inTransaction } from '../../db/transaction.ts';
import * as texts from '../../texts/billing.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { findBillingAddress, saveBillingAddress } from './store/billing-addresses.ts';

export async function getBillingAddress(ctx: Context, userId: string): Promise<BillingAddress> {
  return (await findBillingAddress(ctx.db, userId)) ?? {};
}

/** Replaces the address when the request has one, and returns it. */
export const readOrSaveBillingAddress: Handler<'userBillingAddress'> = async (
  ctx,
  { actor, subjectId },
  { billing_address: address },
) => {
  if (!address) return { billing_address: await getBillingAddress(ctx, subjectId) };
  await inTransaction(ctx, async (ctx) => {
    if (!(await lockOwner(ctx.db, subjectId))) refuse('not_found');
    await saveBillingAddress(ctx.db, { userId: subjectId, address });
    await writeAuditEntry(ctx, { actor, subjectId }, 'billing_address_changed');
  });
  return { billing_address: address, message: texts.addressSaved };
};
