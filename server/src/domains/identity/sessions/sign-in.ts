import type { CallRequest } from '@rowmill/contract';
import type { Visitor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after } from '../../../lib/clock.ts';
import { orUndo } from '../../../lib/failed-work.ts';
import { hashSecret, newId, newSecret } from '../../../lib/ids.ts';
import { signedOut } from '../../../texts/identity.ts';
import { rememberNetwork, siteOf } from '../../requests/rate-limits.ts';
import { isPasswordUnchanged } from '../passwords/change.ts';
import { lastSeenResolution, liveSessionBounds, presentUser } from '../rules.ts';
import { deleteSession, findLiveSession, insertSession, touchSession } from '../store/sessions.ts';
import { findUserByEmail, replacePasswordHash, type UserRow, updateUser } from '../store/users.ts';
import { deviceName } from './device-name.ts';
import { consumeSignInLimits } from './sign-in-limits.ts';

export const signIn: Handler<'login'> = async (ctx, visitor, request) => {
  const refund = await consumeSignInLimits(ctx, visitor.ip, request.email);
  // An attempt whose password was not checked does not count.
  const check = () => orUndo(checkPassword(ctx, visitor, request), refund);
  const user = await check();
  if (!user) refuse('wrong_credentials');
  await refund();
  const signedIn =
    (await createSession(ctx, user, visitor)) ??
    // A simultaneous sign-in may have renewed the hash. The second check sees the new one.
    (await createSession(ctx, await check(), visitor));
  if (!signedIn) refuse('wrong_credentials');
  await rememberNetwork(ctx, visitor.ip);
  return signedIn;
};

/** Undefined when address or password are wrong. Renews a hash that has other costs. */
async function checkPassword(
  ctx: Context,
  { ip }: Visitor,
  { email, password }: CallRequest<'login'>,
): Promise<UserRow | undefined> {
  const site = siteOf(ip);
  const user = await findUserByEmail(ctx.db, email);
  const hash = user?.password_hash ?? null;
  const isRight = await ctx.passwords.isRight(password, hash, site);
  if (!user || !hash || !isRight) {
    record(ctx, 'sign_in_refused', { user_id: user?.id ?? null });
    return undefined;
  }
  if (!ctx.passwords.isOutdated(hash)) return user;
  const renewed = await ctx.passwords.hash(password, site);
  return (await replacePasswordHash(ctx.db, user.id, { from: hash, to: renewed })) ?? user;
}

/** Undefined when the password has changed since the person was read. */
export async function createSession(ctx: Context, checked: UserRow | undefined, visitor: Visitor) {
  if (!checked) return undefined;
  const userToken = newSecret();
  const now = ctx.clock.now();
  const user = await inTransaction(ctx, async (ctx) => {
    if (!(await isPasswordUnchanged(ctx, checked))) return undefined;
    await insertSession(ctx.db, {
      id: newId(now),
      user_id: checked.id,
      token_hash: hashSecret(userToken),
      device: deviceName(visitor.device),
      created_at: now,
      last_seen_at: now,
    });
    const user = await updateUser(ctx.db, checked.id, { last_seen_at: now });
    // Checked after the password: without it, a suspended account looks like any other.
    if (user.suspended_at) refuse('suspended');
    return user;
  });
  if (!user) return undefined;
  record(ctx, 'signed_in', { user_id: user.id });
  return { user: presentUser(user), app_token: newSecret(), user_token: userToken };
}

export const signOut: Handler<'logout'> = async (ctx, actor) => {
  await deleteSession(ctx.db, { id: actor.sessionId, userId: actor.id });
  record(ctx, 'signed_out', { user_id: actor.id });
  return { message: signedOut };
};

/** The person behind a session token. Only requests that a person caused extend the session. */
export async function findActor(ctx: Context, token: string, { isSeen }: { isSeen: boolean }) {
  const now = ctx.clock.now();
  const session = await findLiveSession(ctx.db, {
    tokenHash: hashSecret(token),
    ...liveSessionBounds(now),
  });
  if (!session) return null;
  if (isSeen && session.last_seen_at <= after(now, -lastSeenResolution)) {
    await touchSession(ctx.db, { id: session.id, userId: session.user_id, now });
  }
  return {
    id: session.user_id,
    sessionId: session.id,
    roleId: session.role_id,
    isVerified: session.email_verified_at !== null,
  };
}
