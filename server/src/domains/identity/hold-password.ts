import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { lockUser, type UserRow } from './store/users.ts';

/**
 * Checking a password takes a while and stands outside of transactions; meanwhile it may have been changed, to shut
 * somebody out. So the transaction of the act asks again whether the password that was checked is the present one, and
 * keeps it so until it ends.
 */
export async function assertPasswordUnchanged(
  ctx: Context,
  checked: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<void> {
  const { password_hash } = await lockUser(ctx.db, checked.id);
  if (password_hash !== checked.password_hash) refuse('wrong_credentials');
}
