import type { Context } from '../../context.ts';
import { startOfMonth } from '../../lib/clock.ts';
import { refuse } from '../../refusal.ts';
import { lowBalanceMail } from './rules.ts';
import { findAccount, lockLimits, sumSpentSince, updateLimits } from './store.ts';

interface Spending {
  userId: string;
  /** What is to be held at least. */
  amount: number;
  /** What is to be held if there is so much. */
  wanted?: number;
}

/**
 * Asked wherever submissions are held, in the transaction of the hold: whether the person's admin lets him spend so much
 * this month, and gives how much that is. What is held counts as spent, for it may be. A person whom nobody limits may
 * spend all he has.
 */
export async function admitSpending(
  ctx: Context,
  { userId, amount, wanted = amount }: Spending,
): Promise<number> {
  const limits = await lockLimits(ctx.db, userId);
  if (!limits) return Number.POSITIVE_INFINITY;
  const account = await findAccount(ctx.db, userId);
  const left = await leftThisMonth(ctx, {
    userId,
    held: account?.held ?? 0,
    limit: limits.monthly_limit,
  });
  if (amount > left)
    refuse('insufficient_credits', { message: wordsFor(ctx, limits.monthly_limit ?? 0, left) });
  const before = account?.available ?? 0;
  await noticeLowBalance(ctx, {
    userId,
    before,
    amount: Math.min(wanted, Math.max(before, amount), left),
    limits,
  });
  return left;
}

async function leftThisMonth(
  ctx: Context,
  { userId, held, limit }: { userId: string; held: number; limit: number | null },
) {
  if (limit === null) return Number.POSITIVE_INFINITY;
  const spent = await sumSpentSince(ctx.db, { userId, since: startOfMonth(ctx.clock.now()) });
  return Math.max(0, limit - spent - held);
}

interface Noticed extends Spending {
  before: number;
  limits: { low_balance_at: number | null; told_low_at: Date | null };
}

/** Once for each time that the balance falls below the mark: the mail goes with the transaction that brings it there. */
async function noticeLowBalance(
  ctx: Context,
  { userId, before, amount, limits }: Noticed,
): Promise<void> {
  const { low_balance_at: mark, told_low_at } = limits;
  if (mark === null || amount > before || before - amount >= mark) return;
  if (told_low_at && before < mark) return;
  await updateLimits(ctx.db, userId, { told_low_at: ctx.clock.now() });
  await ctx.enqueue(ctx.db, lowBalanceMail({ userId }));
}

function wordsFor(ctx: Context, limit: number, left: number): string {
  const next = startOfMonth(ctx.clock.now(), 1).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  return `The monthly limit of ${limit.toLocaleString('en')} submissions leaves ${left.toLocaleString('en')} until ${next}.`;
}
