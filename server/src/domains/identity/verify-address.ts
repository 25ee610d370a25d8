import type { ParsedRequestOf, verifyLink } from '@rowmill/contract';
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
import { judgeLink } from './rules.ts';
import { findLink, takeLink } from './store/links.ts';
import { getUser, isEmailTaken, type UserRow, updateUser } from './store/users.ts';

const purposes = ['verify_email', 'change_email'] as const;

/** Takes the link of a new person, or of one who moves to another address. */
export async function verifyAddress(
  ctx: Context,
  visitor: Visitor,
  { token }: ParsedRequestOf<typeof verifyLink>,
) {
  await consumeRateLimit(ctx, limits.openLinkFromAddress, visitor.ip);
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
    accountMail({ kind: 'address_changed', email: user.email, userId: user.id }),
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
