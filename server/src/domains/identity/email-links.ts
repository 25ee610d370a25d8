import type { LinkPurpose } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { after } from '../../lib/clock.ts';
import { hashSecret, newId, newSecret } from '../../lib/ids.ts';
import { linkLifetime } from './rules.ts';
import { deleteLinks, replaceLink } from './store/email-links.ts';
import { deleteSessionsOf } from './store/sessions.ts';
import { updateUser } from './store/users.ts';

/** Opens a way in for one person and one purpose. Its token goes into a mail and is kept nowhere else. */
export async function openLink(
  ctx: Pick<Context, 'db' | 'clock'>,
  { userId, purpose }: { userId: string; purpose: LinkPurpose & keyof typeof linkLifetime },
) {
  const token = newSecret();
  const now = ctx.clock.now();
  await inTransaction(ctx, ({ db }) =>
    replaceLink(db, {
      id: newId(now),
      user_id: userId,
      purpose,
      token_hash: hashSecret(token),
      created_at: now,
      expires_at: after(now, linkLifetime[purpose]),
    }),
  );
  return token;
}

const waysIn = [
  'reset_password',
  'invitation',
  'change_email',
] as const satisfies readonly LinkPurpose[];

/**
 * Closes every way in that was prepared earlier: links to set a password, and an address that waits to replace the
 * present one. Otherwise a thief who has used the old password once could come back without it. A link that is just
 * being taken stays, so that a second click on it is told why it fails.
 */
export async function revokeRecoveryLinks(
  ctx: Context,
  userId: string,
  taken?: LinkPurpose,
): Promise<void> {
  await deleteLinks(ctx.db, { userId, purposes: waysIn.filter((purpose) => purpose !== taken) });
  await updateUser(ctx.db, userId, { pending_email: null });
}

/** Signs a person out everywhere and closes the links that were open to him. */
export async function revokeAllAccess(ctx: Context, userId: string): Promise<void> {
  await deleteSessionsOf(ctx.db, { userId });
  await revokeRecoveryLinks(ctx, userId);
}
