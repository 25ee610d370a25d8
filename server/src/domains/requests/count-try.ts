import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { after } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import type { Limit } from './rules.ts';
import { addTry, takeBackTry } from './store/throttles.ts';

/**
 * Counts a try before it is made, so that parallel ones cannot slip through together. Kept in the database: every
 * process counts on the same sheet, and a restart forgives nothing.
 */
export async function consumeRateLimit(ctx: Context, limit: Limit, of: string): Promise<void> {
  const now = ctx.clock.now();
  const { attempts, resets_at } = await addTry(ctx.db, {
    key: keyOf(limit, of),
    now,
    resetsAt: after(now, limit.windowMilliseconds),
  });
  if (attempts <= limit.tries) return;
  record(ctx, 'throttled', { limit: limit.name });
  refuse('too_many_requests', {
    message: limit.message,
    retryAfterSeconds: Math.max(1, Math.ceil((resets_at.getTime() - now.getTime()) / 1000)),
  });
}

/** A try that turned out well does not count. */
export async function refundRateLimit(ctx: Context, limit: Limit, of: string): Promise<void> {
  await takeBackTry(ctx.db, keyOf(limit, of));
}

/** Addresses of people and machines are not kept readable. */
function keyOf(limit: Limit, of: string): string {
  return `${limit.name}:${hashSecret(of).slice(0, 32)}`;
}
