import type { ParsedRequestOf, resendLink, verifyLink } from '@rowmill/contract';
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
import { findLink, takeLink } from '../store/email-links.ts';
import { getUser, isEmailTaken, type UserRow, updateUser } from '../store/users.ts';

const purposes = ['verify_email', 'change_email'] as const;

/** Takes the link of a new person, or of one who moves to another address. */
export async function verifyAddress(
  ctx: Context,
  visitor: Visitor,
  { token }: ParsedRequestOf<typeof verifyLink>,
) {
  await consumeRateLimit(ctx, rateLimits.emailLinkPerNetwork, visitor.ip);
  const tokenHash = hashSecret(token);
  return inTransaction(ctx, async (inside) => {
    const now = ctx.clock.now();
    const link = await takeLink(inside.db, { tokenHash, purposes, now });
    if (!link) return refuseLink(inside, tokenHash);
    const before = await getUser(inside.db, link.user_id);
    const user =
      link.purpose === 'change_email'
        ? await moveAddress(inside, before)
        : await markVerified(inside, before);
    record(ctx, 'email_verified', { user_id: user.id });
    return { email: user.email, message: 'Thank you, your e-mail address is verified.' };
  });
}

async function markVerified(ctx: Context, user: UserRow): Promise<UserRow> {
  await writeAuditEntry(ctx, { actorId: user.id, subjectId: user.id, act: 'address_verified' });
  return updateUser(ctx.db, user.id, {
    email_verified_at: user.email_verified_at ?? ctx.clock.now(),
  });
}

async function moveAddress(ctx: Context, user: UserRow): Promise<UserRow> {
  if (!user.pending_email || (await isEmailTaken(ctx.db, user.pending_email)))
    refuse('link_invalid');
  await ctx.enqueue(
    ctx.db,
    accountEmail({ kind: 'address_changed', email: user.email, userId: user.id }),
  );
  await writeAuditEntry(ctx, { actorId: user.id, subjectId: user.id, act: 'address_changed' });
  // Links that went to the old inbox must not open the account of the new one.
  await revokeRecoveryLinks(ctx, user.id, 'change_email');
  return updateUser(ctx.db, user.id, {
    email: user.pending_email,
    pending_email: null,
    email_verified_at: ctx.clock.now(),
  });
}

async function refuseLink(ctx: Context, tokenHash: string): Promise<never> {
  const why = judgeLink(await findLink(ctx.db, { tokenHash, purposes }));
  refuse(why === 'link_used' ? 'already_verified' : why);
}

/** Whether there is anything to send is found out by the job: the answer and its time are the same for every address. */
export async function resendVerification(
  ctx: Context,
  visitor: Visitor,
  request: ParsedRequestOf<typeof resendLink>,
) {
  const email =
    request.email ?? (visitor.actor ? (await getUser(ctx.db, visitor.actor.id)).email : undefined);
  if (!email) refuse('invalid_input', { fields: { email: 'Please enter an e-mail address.' } });
  await consumeRateLimit(ctx, rateLimits.emailPerNetwork, visitor.ip);
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, email);
  await ctx.enqueue(ctx.db, accountEmail({ kind: 'verification', email }));
  return { message: 'If this address waits for its verification, a new link is on its way.' };
}
