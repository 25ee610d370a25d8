import type { changePassword as changePasswordCall, ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { writeAuditEntry } from '../../audit/write-entry.ts';
import { consumeRateLimit, rateLimits, refundRateLimit } from '../../requests/rate-limits.ts';
import { revokeRecoveryLinks } from '../email-links.ts';
import { accountEmail } from '../jobs.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { getUser, lockUser, type UserRow, updateUser } from '../store/users.ts';
import { refuseWeakPassword } from './policy.ts';

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
      accountEmail({ kind: 'password_changed', email: user.email, userId: user.id }),
    );
  });
  record(ctx, 'password_changed', { user_id: user.id });
  return { message: 'Your password is changed. All other devices are signed out.' };
}

/** A borrowed session must not be enough to take an account over. */
export async function confirmPassword(
  ctx: Context,
  actor: Actor,
  password: string,
): Promise<UserRow> {
  await consumeRateLimit(ctx, rateLimits.passwordPerAccount, actor.id);
  const user = await getUser(ctx.db, actor.id);
  const forgive = () => refundRateLimit(ctx, rateLimits.passwordPerAccount, actor.id);
  const isRight = await ctx.passwords.isRight(password, user.password_hash).catch(async (error) => {
    await forgive();
    throw error;
  });
  if (!isRight) {
    refuse('wrong_credentials', {
      message: 'The current password is wrong.',
      fields: { current_password: 'This is not your current password.' },
    });
  }
  await forgive();
  return user;
}

/**
 * Checking a password takes a while and stands outside of transactions; meanwhile it may have been changed, to shut
 * somebody out. So the transaction of the act asks again whether the password that was checked is the present one, and
 * keeps it so until it ends.
 */
export async function assertPasswordUnchanged(
  ctx: Context,
  checked: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<void> {
  const { password_hash } = await lockUser(ctx.db, checked.id);
  if (password_hash !== checked.password_hash) refuse('wrong_credentials');
}
