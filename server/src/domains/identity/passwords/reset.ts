import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { hashSecret } from '../../../lib/ids.ts';
import * as texts from '../../../texts/identity.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { consumeRateLimit, rateLimits, siteOf } from '../../requests/rate-limits.ts';
import { openEmailLink, revokeRecoveryLinks } from '../email-links.ts';
import { accountEmail } from '../emails.ts';
import { linkProblem } from '../rules.ts';
import { deleteLinks, findLink } from '../store/email-links.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { getUser, updateUser } from '../store/users.ts';
import { refuseWeakPassword } from './policy.ts';

const purposes = ['reset_password', 'invitation'] as const;

/** Does the same for every address; the job that follows finds out whether there is an account. */
export const requestPasswordReset: Handler<'sendResetLinkEmail'> = async (
  ctx,
  visitor,
  { email },
) => {
  await consumeRateLimit(ctx, rateLimits.emailPerNetwork, visitor.ip);
  await consumeRateLimit(ctx, rateLimits.resetPerAddress, email);
  await ctx.enqueue(ctx.db, accountEmail({ kind: 'reset', email }));
  return { message: texts.resetSent };
};

/** The link came through the inbox, so it verifies the address. A weak password leaves it. */
export const resetPassword: Handler<'resetPassword'> = async (
  ctx,
  visitor,
  { token, password },
) => {
  await consumeRateLimit(ctx, rateLimits.emailLinkPerNetwork, visitor.ip);
  const tokenHash = hashSecret(token);
  const link = await findLink(ctx.db, { tokenHash, purposes });
  const problem = linkProblem(link, ctx.clock.now());
  if (!link || problem) refuse(problem ?? 'link_invalid');
  const person = await getUser(ctx.db, link.user_id);
  await refuseWeakPassword(password, person, ctx.config.operator.product);
  const passwordHash = await ctx.passwords.hash(password, siteOf(visitor.ip));
  return inTransaction(ctx, (ctx) => setPassword(ctx, tokenHash, passwordHash));
};

async function setPassword(ctx: Context, tokenHash: string, passwordHash: string) {
  const link = await openEmailLink(ctx, { tokenHash, purposes });
  if (typeof link === 'string') refuse(link);
  const { email_verified_at, password_hash: earlier } = await getUser(ctx.db, link.user_id);
  const user = await updateUser(ctx.db, link.user_id, {
    password_hash: passwordHash,
    email_verified_at: email_verified_at ?? ctx.clock.now(),
  });
  await deleteSessionsOf(ctx.db, { userId: user.id });
  await deleteLinks(ctx.db, { userId: user.id, purposes: ['verify_email'] });
  await revokeRecoveryLinks(ctx, user.id, link.purpose);
  await writeAuditEntry(ctx, { actor: user, subjectId: user.id }, 'password_reset');
  // An invited person sets their first one.
  if (earlier)
    await ctx.enqueue(
      ctx.db,
      accountEmail({ kind: 'password_changed', email: user.email, userId: user.id }),
    );
  record(ctx, 'password_reset', { user_id: user.id });
  return { email: user.email, message: texts.newPasswordSet };
}
