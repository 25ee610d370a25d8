import type { Context } from '../../context.ts';
import { after, hour, minute } from '../../lib/clock.ts';
import { idempotencyKeyLifetime } from './rules.ts';
import { deleteKeysBefore, deleteUnanswered } from './store/idempotency-keys.ts';
import { deleteThrottlesBefore } from './store/throttles.ts';

export async function forgetRequests(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await deleteThrottlesBefore(ctx.db, now);
  await deleteKeysBefore(ctx.db, after(now, -idempotencyKeyLifetime));
  await deleteUnanswered(ctx.db, after(now, -hour));
}

/** For a process that knows it is alone, at its start: requests without an answer will never have one. */
export async function forgetUnanswered(ctx: Context): Promise<void> {
  await deleteUnanswered(ctx.db, after(ctx.clock.now(), minute));
}
