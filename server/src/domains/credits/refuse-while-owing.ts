import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { findAccount } from './store.ts';

/** Nothing new is started by somebody from whom more was taken back than he had left. */
export async function refuseWhileOwing(ctx: Context, userId: string): Promise<void> {
  const owed = (await findAccount(ctx.db, userId))?.owed ?? 0;
  if (owed === 0) return;
  refuse('insufficient_credits', {
    message: `A refunded or disputed payment had been spent already, so ${owed.toLocaleString('en')} submissions are owed. Buy as many, and everything goes on.`,
  });
}
