import type { changePassword as changePasswordCall, ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { revokeRecoveryLinks } from './close-ways-in.ts';
import { confirmPassword } from './confirm-password.ts';
import { assertPasswordUnchanged } from './hold-password.ts';
import { accountMail } from './jobs.ts';
import { refuseWeakPassword } from './refuse-weak-password.ts';
import { deleteSessionsOf } from './store/sessions.ts';
import { updateUser } from './store/users.ts';

/** Ends all other sessions and every open way to a new password: whoever else knew the old one is out. */
export async function changePassword(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof changePasswordCall>,
) {
  const user = await confirmPassword(ctx, actor, request.current_password);
  await refuseWeakPassword(request.password, [
    user.email,
    user.first_name,
    user.last_name,
    ctx.config.operator.product,
  ]);
  const passwordHash = await ctx.passwords.hash(request.password);
  await inTransaction(ctx, async (inside) => {
    await assertPasswordUnchanged(inside, user);
    await updateUser(inside.db, user.id, { password_hash: passwordHash });
    await deleteSessionsOf(inside.db, { userId: user.id, except: actor.sessionId });
    await revokeRecoveryLinks(inside, user.id);
    await writeAuditEntry(inside, {
      actorId: user.id,
      subjectId: user.id,
      act: 'password_changed',
    });
    await ctx.enqueue(
      inside.db,
      accountMail({ kind: 'password_changed', email: user.email, userId: user.id }),
    );
  });
  record(ctx, 'password_changed', { user_id: user.id });
  return { message: 'Your password is changed. All other devices are signed out.' };
}
