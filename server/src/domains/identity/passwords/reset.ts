import type {
  ParsedRequestOf,
  resetPassword as resetPasswordCall,
  sendResetLinkEmail,
} from '@rowmill/contract';
import type { Visitor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { hashSecret } from '../../../lib/ids.ts';
import { writeAuditEntry } from '../../audit/write-entry.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { revokeRecoveryLinks } from '../email-links.ts';
import { accountEmail } from '../jobs.ts';
import { judgeLink } from '../rules.ts';
import { deleteLinks, findLink, takeLink } from '../store/email-links.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { getUser, updateUser } from '../store/users.ts';
import { refuseWeakPassword } from './policy.ts';

/** Does the same for every address; the job that follows finds out whether there is an account. */
export async function askPasswordReset(
  ctx: Context,
  visitor: Visitor,
  { email }: ParsedRequestOf<typeof sendResetLinkEmail>,
) {
  await consumeRateLimit(ctx, rateLimits.emailPerNetwork, visitor.ip);
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, email);
  await ctx.enqueue(ctx.db, accountEmail({ kind: 'reset', email }));
  return {
    message: 'If there is an account for this address, a link to set a new password is on its way.',
  };
}

const purposes = ['reset_password', 'invitation'] as const;

/**
 * Sets the password of whoever holds the mailed link. The link has come through the inbox, so it verifies the address
 * too. A weak password is refused before the link is taken, which leaves the link usable.
 */
export async function resetPassword(
  ctx: Context,
  visitor: Visitor,
  { token, password }: ParsedRequestOf<typeof resetPasswordCall>,
) {
  await consumeRateLimit(ctx, rateLimits.emailLinkPerNetwork, visitor.ip);
  const tokenHash = hashSecret(token);
  const link = await findLink(ctx.db, { tokenHash, purposes });
  const isOpen = link && !link.used_at && link.expires_at > ctx.clock.now();
  if (!isOpen) refuse(judgeLink(link));
  const person = await getUser(ctx.db, link.user_id);
  await refuseWeakPassword(password, [
    person.email,
    person.first_name,
    person.last_name,
    ctx.config.operator.product,
  ]);
  const passwordHash = await ctx.passwords.hash(password);
  return inTransaction(ctx, (inside) => setPassword(inside, tokenHash, passwordHash));
}

async function setPassword(ctx: Context, tokenHash: string, passwordHash: string) {
  const now = ctx.clock.now();
  const link = await takeLink(ctx.db, { tokenHash, purposes, now });
  if (!link) refuse(judgeLink(await findLink(ctx.db, { tokenHash, purposes })));
  const { email_verified_at } = await getUser(ctx.db, link.user_id);
  const user = await updateUser(ctx.db, link.user_id, {
    password_hash: passwordHash,
    email_verified_at: email_verified_at ?? now,
  });
  await deleteSessionsOf(ctx.db, { userId: user.id });
  await deleteLinks(ctx.db, { userId: user.id, purposes: ['verify_email'] });
  await revokeRecoveryLinks(ctx, user.id, link.purpose);
  await writeAuditEntry(ctx, { actorId: user.id, subjectId: user.id, act: 'password_reset' });
  await ctx.enqueue(
    ctx.db,
    accountEmail({ kind: 'password_changed', email: user.email, userId: user.id }),
  );
  record(ctx, 'password_reset', { user_id: user.id });
  return { email: user.email, message: 'Your new password is set. Please sign in with it.' };
}
