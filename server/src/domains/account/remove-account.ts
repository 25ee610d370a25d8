import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { adminDeleted } from '../../texts/account.ts';
import { deleteWork } from '../batches/delete-work.ts';
import { forgetBuyer } from '../billing/forget-buyer.ts';
import { reassignClient, releaseClients } from '../identity/accounts/clients.ts';
import { deletePerson } from '../identity/accounts/profile.ts';
import { getUser } from '../identity/store/users.ts';
import { dropAnswersAbout } from '../requests/store.ts';

interface Removal {
  userId: string;
  /** What their admin reads. */
  reason: string;
  /** Moves what is left of the balance, after batches have returned what they reserved. */
  moveBalance?: (ctx: Context) => Promise<void>;
}

/**
 * Removes all that names the person. Ledger, orders and audit entries stay without a name. Needs a
 * transaction.
 */
export async function removeAccount(
  ctx: Context,
  actor: Pick<Actor, 'id'>,
  { userId, reason, moveBalance }: Removal,
): Promise<void> {
  await forgetBuyer(ctx, userId);
  await deleteWork(ctx, userId);
  await moveBalance?.(ctx);
  await releaseClients(ctx, actor, { adminId: userId, reason: adminDeleted });
  await dropAnswersAbout(ctx.db, [userId]);
  const client = await getUser(ctx.db, userId);
  await deletePerson(ctx, userId);
  // Last, because their admin may change nothing of theirs from then on.
  await reassignClient(ctx, actor, { client, adminId: null, reason });
}
