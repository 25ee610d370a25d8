import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { consumeRateLimit, refundRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { getUser, type UserRow } from './store/users.ts';

/** A borrowed session must not be enough to take an account over. */
export async function confirmPassword(
  ctx: Context,
  actor: Actor,
  password: string,
): Promise<UserRow> {
  await consumeRateLimit(ctx, limits.passwordOfAccount, actor.id);
  const user = await getUser(ctx.db, actor.id);
  const forgive = () => refundRateLimit(ctx, limits.passwordOfAccount, actor.id);
  const isRight = await ctx.passwords.isRight(password, user.password_hash).catch(async (error) => {
    await forgive();
    throw error;
  });
  if (!isRight) {
    refuse('wrong_credentials', {
      message: 'The current password is wrong.',
      fields: { current_password: 'This is not your current password.' },
    });
  }
  await forgive();
  return user;
}
