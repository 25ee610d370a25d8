import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse, refuseField } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { orUndo } from '../../../lib/failed-work.ts';
import * as texts from '../../../texts/identity.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import {
  consumeRateLimit,
  rateLimits,
  refundRateLimit,
  siteOf,
} from '../../requests/rate-limits.ts';
import { revokeRecoveryLinks } from '../email-links.ts';
import { accountEmail } from '../emails.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { getUser, lockUser, type UserRow, updateUser } from '../store/users.ts';
import { refuseWeakPassword } from './policy.ts';

/** Ends all other sessions and recovery links, to lock out others with the old password. */
export const changePassword: Handler<'changePassword'> = async (ctx, actor, request) => {
  const user = await confirmPassword(ctx, actor, request.current_password);
  if (request.password === request.current_password)
    refuseField('password', texts.refused.invalid_input.samePassword);
  await refuseWeakPassword(request.password, user, ctx.config.operator.product);
  const passwordHash = await ctx.passwords.hash(request.password, siteOf(actor.ip));
  await inTransaction(ctx, async (ctx) => {
    await assertPasswordUnchanged(ctx, user);
    await updateUser(ctx.db, user.id, { password_hash: passwordHash });
    await deleteSessionsOf(ctx.db, { userId: user.id, except: actor.sessionId });
    await revokeRecoveryLinks(ctx, user.id);
    await writeAuditEntry(ctx, { actor: user, subjectId: user.id }, 'password_changed');
    await ctx.enqueue(
      ctx.db,
      accountEmail({ kind: 'password_changed', email: user.email, userId: user.id }),
    );
  });
  record(ctx, 'password_changed', { user_id: user.id });
  return { message: texts.passwordChanged };
};

/** A stolen session must not be enough to take over an account. */
export async function confirmPassword(
  ctx: Context,
  actor: Actor,
  password: string,
): Promise<UserRow> {
  await consumeRateLimit(ctx, rateLimits.passwordPerAccount, actor.id);
  const user = await getUser(ctx.db, actor.id);
  const refund = () => refundRateLimit(ctx, rateLimits.passwordPerAccount, actor.id);
  const { password_hash: hash } = user;
  const check = ctx.passwords.isRight(password, hash, siteOf(actor.ip));
  const isRight = await orUndo(check, refund);
  if (!isRight) refuse('wrong_credentials', texts.refused.wrong_credentials);
  await refund();
  return user;
}

/**
 * Locks the row and compares with the checked password. The slow check was before the transaction,
 * and someone may have changed the password meanwhile.
 */
export async function assertPasswordUnchanged(
  ctx: Context,
  checked: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<void> {
  if (!(await isPasswordUnchanged(ctx, checked))) refuse('wrong_credentials');
}

export async function isPasswordUnchanged(
  ctx: Context,
  checked: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<boolean> {
  const { password_hash } = await lockUser(ctx.db, checked.id);
  return password_hash === checked.password_hash;
}
