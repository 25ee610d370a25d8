import type { ParsedRequestOf, resetPassword as resetPasswordCall } from '@rowmill/contract';
import type { Visitor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { hashSecret } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { consumeRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { revokeRecoveryLinks } from './close-ways-in.ts';
import { accountMail } from './jobs.ts';
import { refuseWeakPassword } from './refuse-weak-password.ts';
import { judgeLink } from './rules.ts';
import { deleteLinks, findLink, takeLink } from './store/links.ts';
import { deleteSessionsOf } from './store/sessions.ts';
import { getUser, updateUser } from './store/users.ts';

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
  await consumeRateLimit(ctx, limits.openLinkFromAddress, visitor.ip);
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
    accountMail({ kind: 'password_changed', email: user.email, userId: user.id }),
  );
  record(ctx, 'password_reset', { user_id: user.id });
  return { email: user.email, message: 'Your new password is set. Please sign in with it.' };
}
