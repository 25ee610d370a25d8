import type { ParsedRequestOf, userBillingAddress } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { getBillingAddress } from './get-billing-address.ts';
import { saveBillingAddress } from './store.ts';

/** Reads the address, or replaces it as a whole when one is given. */
export async function keepBillingAddress(
  ctx: Context,
  acting: Acting,
  request: ParsedRequestOf<typeof userBillingAddress>,
) {
  const { billing_address: address } = request;
  const { actor, subjectId } = acting;
  if (!address) return { billing_address: await getBillingAddress(ctx, subjectId) };
  await inTransaction(ctx, async (inside) => {
    await saveBillingAddress(inside.db, { userId: subjectId, address });
    await writeAuditEntry(inside, { actorId: actor.id, subjectId, act: 'billing_address_changed' });
  });
  return { billing_address: address, message: 'The billing address is saved.' };
}
