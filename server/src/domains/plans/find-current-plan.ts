import type { UserPlan } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { presentUserPlan } from './rules.ts';
import { findUserPlan } from './store.ts';

export async function findCurrentPlan(ctx: Context, userId: string): Promise<UserPlan | null> {
  const row = await findUserPlan(ctx.db, { userId, now: ctx.clock.now() });
  return row ? presentUserPlan(row) : null;
}
