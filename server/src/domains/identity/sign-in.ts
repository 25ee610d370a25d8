import type { login, ParsedRequestOf, User } from '@rowmill/contract';
import type { Visitor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { hashSecret, newId, newSecret } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { consumeRateLimit, refundRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { assertPasswordUnchanged } from './hold-password.ts';
import { describeDevice, presentUser } from './rules.ts';
import { insertSession } from './store/sessions.ts';
import { findUserByEmail, type UserRow, updateUser } from './store/users.ts';

type Request = ParsedRequestOf<typeof login>;

interface SignedIn {
  user: User;
  app_token: string;
  user_token: string;
}

export async function signIn(ctx: Context, visitor: Visitor, request: Request): Promise<SignedIn> {
  const account = `${request.email} ${visitor.ip}`;
  await consumeRateLimit(ctx, limits.signInAtAll, 'all');
  await consumeRateLimit(ctx, limits.signInFromAddress, visitor.ip);
  await consumeRateLimit(ctx, limits.signInToAccount, account);
  const user = await findUserByEmail(ctx.db, request.email);
  const forgive = async () => {
    await refundRateLimit(ctx, limits.signInFromAddress, visitor.ip);
    await refundRateLimit(ctx, limits.signInToAccount, account);
  };
  const isRight = await ctx.passwords
    .isRight(request.password, user?.password_hash ?? null)
    .catch(async (error) => {
      // A password that could not be looked at was no try.
      await forgive();
      throw error;
    });
  if (!user || !isRight) {
    record(ctx, 'sign_in_refused', { user_id: user?.id ?? null });
    refuse('wrong_credentials');
  }
  await forgive();
  return openSession(ctx, user, visitor);
}

async function openSession(ctx: Context, checked: UserRow, visitor: Visitor): Promise<SignedIn> {
  const userToken = newSecret();
  const appToken = newSecret();
  const now = ctx.clock.now();
  const { id } = checked;
  const user = await inTransaction(ctx, async (inside) => {
    const { db } = inside;
    await assertPasswordUnchanged(inside, checked);
    await insertSession(db, {
      id: newId(now),
      user_id: id,
      token_hash: hashSecret(userToken),
      app_token_hash: hashSecret(appToken),
      device: describeDevice(visitor.device),
      created_at: now,
      last_seen_at: now,
    });
    const user = await updateUser(db, id, { last_seen_at: now });
    // Only who knows the password is told: to everybody else the account is like any other.
    if (user.suspended_at) refuse('suspended');
    return user;
  });
  record(ctx, 'signed_in', { user_id: id });
  return { user: presentUser(user), app_token: appToken, user_token: userToken };
}
