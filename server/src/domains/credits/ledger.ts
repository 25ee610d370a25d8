import type { CreditBucket } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import { invariant, refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import {
  amountOf,
  ensureAccount,
  findAccount,
  insertEntry,
  lockAccount,
  moveBetweenBuckets,
  spendReserved,
} from './store.ts';

/** Changes of what a person has bought wait for each other until the transaction ends. */
export async function lockBalance(ctx: Context, userId: string): Promise<void> {
  await ensureAccount(ctx.db, userId);
  await lockAccount(ctx.db, userId);
}

interface Change {
  userId: string;
  amount: number;
  /** Unique for a person: a cause moves credits once. */
  cause: string;
}

interface Move extends Change {
  from: CreditBucket;
  to: CreditBucket;
}

/** The submissions that a person can use now. */
export async function getBalance(ctx: Context, userId: string): Promise<number> {
  return (await findAccount(ctx.db, userId))?.available ?? 0;
}

/** The same, with the submissions that the person owes. */
export async function getBalanceAndDebt(ctx: Context, userId: string) {
  const account = await findAccount(ctx.db, userId);
  return { creditsAvailable: account?.available ?? 0, debt: account?.debt ?? 0 };
}

/**
 * Every change of a balance except charges. Ledger entry and buckets change together. Returns false
 * if the cause has moved credits before. New available credits repay debt first.
 */
export async function moveCredits(
  ctx: Context,
  { userId, from, to, amount, cause }: Move,
): Promise<boolean> {
  invariant(Number.isSafeInteger(amount) && amount > 0, 'credits move in whole positive amounts');
  return inTransaction(ctx, async (ctx) => {
    await ensureAccount(ctx.db, userId);
    const now = ctx.clock.now();
    const entry = {
      id: newId(now),
      at: now,
      user_id: userId,
      from_bucket: from,
      to_bucket: to,
      amount,
      cause,
    };
    if (!(await insertEntry(ctx.db, entry))) return false;
    const buckets = await moveBetweenBuckets(ctx.db, entry);
    if (!buckets) refuse('insufficient_credits');
    if ([from, to].some((bucket) => bucket === 'available' || bucket === 'debt'))
      await ctx.publish(ctx.db, { user_id: userId });
    record(ctx, 'credits_moved', { user_id: userId, from, to, amount });
    if (to === 'available')
      await repayDebt(ctx, { userId, amount: Math.min(buckets.available, buckets.debt), cause });
    return true;
  });
}

/** How many of the submissions that a cause has moved paid a debt. */
export async function countRepaid(
  ctx: Context,
  { userId, cause }: Pick<Change, 'userId' | 'cause'>,
): Promise<number> {
  return amountOf(ctx.db, { userId, cause: repaymentOf(cause) });
}

const repaymentOf = (cause: string) => `debt:${cause}:pays`;

async function repayDebt(ctx: Context, { userId, amount, cause }: Change): Promise<void> {
  if (amount <= 0) return;
  const paid = { userId, amount, to: 'external' as const };
  await moveCredits(ctx, { ...paid, from: 'available', cause: repaymentOf(cause) });
  await moveCredits(ctx, { ...paid, from: 'debt', cause: `debt:${cause}:owed` });
}

/** Moves reserved credits to spent, once: in the transaction that stores the results. */
export async function chargeReserved(
  ctx: Context,
  { userId, amount, cause }: Change,
): Promise<void> {
  const at = ctx.clock.now();
  const entry = { id: newId(at), at, user_id: userId, amount, cause };
  if (!(await spendReserved(ctx.db, entry))) refuse('insufficient_credits');
}

/** Takes available credits back. The rest is spent or reserved and becomes debt. */
export async function reverseGrant(ctx: Context, { userId, amount, cause }: Change): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await ensureAccount(ctx.db, userId);
    const { available } = await lockAccount(ctx.db, userId);
    const taken = Math.min(available, amount);
    const debt = amount - taken;
    if (taken > 0)
      await moveCredits(ctx, { userId, from: 'available', to: 'external', amount: taken, cause });
    if (debt > 0) {
      const debtCause = `${cause}:owed`;
      await moveCredits(ctx, {
        userId,
        from: 'external',
        to: 'debt',
        amount: debt,
        cause: debtCause,
      });
    }
  });
}
