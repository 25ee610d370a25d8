import type { LinkPurpose } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { after } from '../../lib/clock.ts';
import { hashSecret, newId, newSecret } from '../../lib/ids.ts';
import { linkLifetime, linkProblem } from './rules.ts';
import { consumeLink, deleteLinks, findLink, replaceLink } from './store/email-links.ts';
import { deleteSessionsOf } from './store/sessions.ts';
import { lockUser, lockUserShared, updateUser } from './store/users.ts';

interface WantedLink {
  userId: string;
  purpose: LinkPurpose;
  /** No link is issued if the person has another address by now. */
  email?: string;
}

/** Returns the token, which goes into one email; only its hash is stored. */
export async function issueEmailLink(
  ctx: Pick<Context, 'db' | 'clock'>,
  { userId, purpose, email }: WantedLink,
): Promise<string> {
  const token = newSecret();
  const now = ctx.clock.now();
  await inTransaction(ctx, async ({ db }) => {
    const person = await lockUserShared(db, userId);
    if (!person || (email && person.email !== email)) refuse('not_found');
    await replaceLink(db, {
      id: newId(now),
      user_id: userId,
      purpose,
      token_hash: hashSecret(token),
      created_at: now,
      expires_at: after(now, linkLifetime[purpose]),
    });
  });
  return token;
}

/**
 * Uses the link and returns it, or why it cannot be used. Needs a transaction: the person is locked
 * before the link, as by all that deletes links.
 */
export async function openEmailLink(
  { db, clock }: Context,
  link: { tokenHash: string; purposes: readonly LinkPurpose[] },
) {
  const now = clock.now();
  const found = await findLink(db, link);
  const problem = linkProblem(found, now);
  if (!found || problem) return problem ?? 'link_invalid';
  await lockUser(db, found.user_id);
  const opened = await consumeLink(db, { ...link, now });
  return opened ?? linkProblem(await findLink(db, link), now) ?? 'link_invalid';
}

const recoveryPurposes = [
  'reset_password',
  'invitation',
  'change_email',
] as const satisfies readonly LinkPurpose[];

/**
 * Deletes the pending address and the links that set a password: an intruder must not return
 * through them. The used link stays, so that a second click gets the right refusal.
 */
export async function revokeRecoveryLinks(
  ctx: Context,
  userId: string,
  used?: LinkPurpose,
): Promise<void> {
  const purposes = recoveryPurposes.filter((purpose) => purpose !== used);
  await deleteLinks(ctx.db, { userId, purposes });
  await updateUser(ctx.db, userId, { pending_email: null });
}

/** Ends all sessions and recovery links of a person. */
export async function revokeAllAccess(ctx: Context, userId: string): Promise<void> {
  await deleteSessionsOf(ctx.db, { userId });
  await revokeRecoveryLinks(ctx, userId);
}
