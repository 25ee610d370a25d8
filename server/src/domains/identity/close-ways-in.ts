import type { LinkPurpose } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { deleteLinks } from './store/links.ts';
import { updateUser } from './store/users.ts';

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
