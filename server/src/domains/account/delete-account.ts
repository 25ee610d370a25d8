import { can, type deleteUserAccount, type ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { forgetWork } from '../batches/account-data.ts';
import { forgetBuyer } from '../billing/own-data.ts';
import { confirmPassword } from '../identity/confirm-password.ts';
import { forgetPerson } from '../identity/forget-person.ts';
import { assertPasswordUnchanged } from '../identity/hold-password.ts';
import { accountMail } from '../identity/jobs.ts';
import { releaseClients } from '../identity/reassign-client.ts';

/**
 * What names the person goes at once. Ledger, orders and audit stay, about somebody who has no name any more; invoices and
 * credit notes stay as they were issued.
 */
export async function deleteAccount(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof deleteUserAccount>,
) {
  if (!can(actor.roleId, 'deleteOwnAccount')) {
    refuse('not_now', {
      message: 'An operator’s account cannot be deleted. Make somebody else the operator first.',
    });
  }
  const user = await confirmPassword(ctx, actor, request.current_password);
  await inTransaction(ctx, async (inside) => {
    await assertPasswordUnchanged(inside, user);
    await forgetBuyer(inside, user.id);
    await forgetWork(inside, user.id);
    const reason = 'The account that looked after this one was deleted';
    await releaseClients(inside, actor, { adminId: user.id, reason });
    await forgetPerson(inside, user.id);
    await writeAuditEntry(inside, { actorId: user.id, subjectId: user.id, act: 'account_deleted' });
    await ctx.enqueue(inside.db, accountMail({ kind: 'account_deleted', email: user.email }));
  });
  record(ctx, 'account_deleted', { user_id: user.id });
  return { message: 'Your account is deleted.' };
}
