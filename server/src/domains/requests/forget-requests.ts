import type { Context } from '../../context.ts';
import { after } from '../../lib/clock.ts';
import { idempotencyKeyLifetime } from './rules.ts';
import { deleteKeysBefore } from './store/idempotency-keys.ts';
import { deleteThrottlesBefore } from './store/throttles.ts';

export async function forgetRequests(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await deleteThrottlesBefore(ctx.db, now);
  await deleteKeysBefore(ctx.db, after(now, -idempotencyKeyLifetime));
}
