import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse, refuseField } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after } from '../../../lib/clock.ts';
import { hashSecret } from '../../../lib/ids.ts';
import { expiredLinkRetention } from '../../../lib/stored-bounds.ts';
import * as texts from '../../../texts/identity.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { openEmailLink, revokeRecoveryLinks } from '../email-links.ts';
import { accountEmail } from '../emails.ts';
import { createSession } from '../sessions/sign-in.ts';
import {
  deleteUnverified,
  getUser,
  isEmailTaken,
  type UserRow,
  uniqueViolation,
  updateUser,
} from '../store/users.ts';

const purposes = ['verify_email', 'change_email'] as const;

/** Verifies the address of a new person, or switches a person to their pending address. */
export const verifyAddress: Handler<'verifyLink'> = async (
  ctx,
  visitor,
  { token, sign_in = false },
) => {
  await consumeRateLimit(ctx, rateLimits.emailLinkPerNetwork, visitor.ip);
  const tokenHash = hashSecret(token);
  return inTransaction(ctx, async (ctx) => {
    const link = await openEmailLink(ctx, { tokenHash, purposes });
    if (typeof link === 'string') refuse(link === 'link_used' ? 'already_verified' : link);
    const before = await getUser(ctx.db, link.user_id);
    const isNew = link.purpose === 'verify_email';
    const user = isNew ? await markVerified(ctx, before) : await changeAddress(ctx, before);
    record(ctx, 'email_verified', { user_id: user.id });
    // Who opens the link can read the inbox, which is enough for a new password too.
    const mayEnter = sign_in && isNew && !user.suspended_at;
    const session = mayEnter ? ((await createSession(ctx, user, visitor)) ?? null) : null;
    return { email: user.email, session, message: texts.addressVerified };
  });
};

async function markVerified(ctx: Context, user: UserRow): Promise<UserRow> {
  await writeAuditEntry(ctx, { actor: user, subjectId: user.id }, 'address_verified');
  return updateUser(ctx.db, user.id, {
    email_verified_at: user.email_verified_at ?? ctx.clock.now(),
  });
}

async function changeAddress(ctx: Context, user: UserRow): Promise<UserRow> {
  if (!user.pending_email || (await isEmailTaken(ctx.db, user.pending_email)))
    refuse('link_invalid');
  await ctx.enqueue(
    ctx.db,
    accountEmail({ kind: 'address_changed', email: user.email, userId: user.id }),
  );
  await writeAuditEntry(ctx, { actor: user, subjectId: user.id }, 'address_changed');
  // Links sent to the old inbox must not open the account from now on.
  await revokeRecoveryLinks(ctx, user.id, 'change_email');
  const change = { email: user.pending_email, pending_email: null };
  return updateUser(ctx.db, user.id, { ...change, email_verified_at: ctx.clock.now() }).catch(
    (error) => {
      // Another person may take the address at the same moment.
      if (error.code === uniqueViolation) refuse('link_invalid');
      throw error;
    },
  );
}

/** The job decides what to send: answer and time are the same for every address. */
export const resendVerification: Handler<'resendLink'> = async (ctx, visitor, request) => {
  const email =
    request.email ?? (visitor.actor ? (await getUser(ctx.db, visitor.actor.id)).email : undefined);
  if (!email) refuseField('email', texts.refused.invalid_input.email);
  await consumeRateLimit(ctx, rateLimits.emailPerNetwork, visitor.ip);
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, `verification ${email}`);
  await ctx.enqueue(ctx.db, accountEmail({ kind: 'verification', email }));
  return { message: texts.verificationSent };
};

/** How many to delete at once, so that other statements run in between. */
const peoplePerRound = 100;

/** An address that was never verified is free again when its last link is forgotten. */
export async function deleteUnverifiedAccounts(ctx: Context): Promise<void> {
  const before = after(ctx.clock.now(), -expiredLinkRetention);
  let deleted: number;
  do deleted = await deleteUnverified(ctx.db, { before, limit: peoplePerRound });
  while (deleted === peoplePerRound);
}
