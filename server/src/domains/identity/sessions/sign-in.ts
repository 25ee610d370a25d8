import type { login, ParsedRequestOf, User } from '@rowmill/contract';
import type { Actor, Visitor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after } from '../../../lib/clock.ts';
import { hashSecret, newId, newSecret } from '../../../lib/ids.ts';
import { consumeRateLimit, rateLimits, refundRateLimit } from '../../requests/rate-limits.ts';
import { assertPasswordUnchanged } from '../passwords/change.ts';
import { describeDevice, liveSessionBounds, presentUser, seenResolution } from '../rules.ts';
import { deleteSession, findLiveSession, insertSession, touchSession } from '../store/sessions.ts';
import { findUserByEmail, type UserRow, updateUser } from '../store/users.ts';

type Request = ParsedRequestOf<typeof login>;

interface SignedIn {
  user: User;
  app_token: string;
  user_token: string;
}

export async function signIn(ctx: Context, visitor: Visitor, request: Request): Promise<SignedIn> {
  const account = `${request.email} ${visitor.ip}`;
  await consumeRateLimit(ctx, rateLimits.signInTotal, 'all');
  await consumeRateLimit(ctx, rateLimits.signInPerNetwork, visitor.ip);
  await consumeRateLimit(ctx, rateLimits.signInPerAccount, account);
  const user = await findUserByEmail(ctx.db, request.email);
  const forgive = async () => {
    await refundRateLimit(ctx, rateLimits.signInPerNetwork, visitor.ip);
    await refundRateLimit(ctx, rateLimits.signInPerAccount, account);
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

export async function signOut(ctx: Context, actor: Actor): Promise<{ message: string }> {
  await deleteSession(ctx.db, { id: actor.sessionId, userId: actor.id });
  record(ctx, 'signed_out', { user_id: actor.id });
  return { message: 'You are signed out.' };
}

/**
 * Whose token this is, if it still opens anything. For the session gate, which alone makes an Actor of it. A look that no
 * person has caused does not keep a session alive.
 */
export async function findActor(ctx: Context, token: string, { isSeen }: { isSeen: boolean }) {
  const now = ctx.clock.now();
  const session = await findLiveSession(ctx.db, {
    tokenHash: hashSecret(token),
    ...liveSessionBounds(now),
  });
  if (!session) return null;
  if (isSeen && session.last_seen_at <= after(now, -seenResolution)) {
    await touchSession(ctx.db, { id: session.id, userId: session.user_id, now });
  }
  return {
    id: session.user_id,
    sessionId: session.id,
    roleId: session.role_id,
    isVerified: session.email_verified_at !== null,
  };
}
