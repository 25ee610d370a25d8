import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { findAccount } from './store.ts';

/** Nothing new is started by somebody from whom more was taken back than he had left, or whose books are not right. */
export async function refuseNewWork(ctx: Context, userId: string): Promise<void> {
  const account = await findAccount(ctx.db, userId);
  if (account?.frozen_at) {
    refuse('not_now', {
      message:
        'Your submissions do not add up on our side, and we look into it. Nothing is lost, but nothing new can start until then.',
    });
  }
  const owed = account?.owed ?? 0;
  if (owed === 0) return;
  refuse('insufficient_credits', {
    message: `A refunded or disputed payment had been spent already, so ${owed.toLocaleString('en')} submissions are owed. Buy as many, and everything goes on.`,
  });
}
