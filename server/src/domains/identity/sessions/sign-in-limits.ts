import { roles } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { recordNow } from '../../../core/events.ts';
import { orUndo } from '../../../lib/failed-work.ts';
import {
  consumeRateLimit,
  isKnownNetwork,
  rateLimits,
  refundRateLimit,
} from '../../requests/rate-limits.ts';
import { accountEmail } from '../emails.ts';
import { listByRole } from '../store/users.ts';

/**
 * Counts a sign-in for its network and account. Only what passes both counts for everyone, so one
 * network cannot use up the limit of all; a network above its own limit stores nothing about
 * addresses. Returns what takes the attempt back from account and network.
 */
export async function consumeSignInLimits(
  ctx: Context,
  network: string,
  email: string,
): Promise<() => Promise<void>> {
  const account = `${email} ${network}`;
  await consumeRateLimit(ctx, rateLimits.signInPerNetwork, network);
  const refundNetwork = () => refundRateLimit(ctx, rateLimits.signInPerNetwork, network);
  const refund = async () => {
    await refundNetwork();
    await refundRateLimit(ctx, rateLimits.signInPerAccount, account);
  };
  await orUndo(consumeRateLimit(ctx, rateLimits.signInPerAccount, account), refundNetwork);
  await orUndo(consumeTotal(ctx, network), refund);
  return refund;
}

/** Networks that signed in lately pass without being counted. */
async function consumeTotal(ctx: Context, network: string): Promise<void> {
  if (await isKnownNetwork(ctx, network)) return;
  const { attempts } = await consumeRateLimit(ctx, rateLimits.signInTotal, 'all');
  if (attempts !== rateLimits.signInTotal.attempts / 2) return;
  recordNow(ctx, 'sign_ins_near_limit', { attempts });
  await ctx.enqueue(ctx.db, { name: 'identity.sign-ins-near-limit', payload: {} });
}

/** A job per operator, so that each email is sent and retried by itself. */
export async function warnOperators(ctx: Context): Promise<void> {
  for (const { id, email } of await listByRole(ctx.db, roles.operator))
    await ctx.enqueue(ctx.db, accountEmail({ kind: 'sign_ins_near_limit', email, userId: id }));
}
