import type { Output } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { countAgainst, rateLimits, refuseWhileUsedUp } from '../requests/rate-limits.ts';
import type { RowResult } from './store/results.ts';

const limit = rateLimits.unusableRowsPerPerson;

/** How many of these rows have an unusable answer, less those with a usable one, which pays. */
export function unusableExcess(results: readonly RowResult[]): number {
  let excess = 0;
  for (const { state, answer } of results) {
    if (state === 'answered') excess--;
    else if (answer !== null) excess++;
  }
  return excess;
}

/** Unusable answers are free, so a limit counts them. True when it is used up. */
export async function countUnusable(
  ctx: Context,
  userId: string,
  excess: number,
): Promise<boolean> {
  return excess > 0 && countAgainst(ctx, limit, { of: userId, count: excess });
}

/** Every answer without columns is usable. */
export async function refuseUnusable(
  ctx: Context,
  userId: string,
  outputs: readonly Output[],
): Promise<void> {
  if (outputs.length > 0) await refuseWhileUsedUp(ctx, limit, userId);
}
