import type { CreditPot } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { newId } from '../../lib/ids.ts';
import { invariant, refuse } from '../../refusal.ts';
import { insertEntry, moveBetweenPots, openAccount } from './store.ts';

interface Move {
  userId: string;
  from: CreditPot;
  to: CreditPot;
  amount: number;
  cause: string;
}

/**
 * Every change of a balance comes through here: entry and pots change together or not at all, and a cause that has moved
 * something already moves nothing again. False says that it had. Whoever owes pays with whatever becomes available.
 */
export async function moveCredits(
  ctx: Context,
  { userId, from, to, amount, cause }: Move,
): Promise<boolean> {
  invariant(Number.isSafeInteger(amount) && amount > 0, 'credits move in whole positive amounts');
  return inTransaction(ctx, async (inside) => {
    const { db } = inside;
    await openAccount(db, userId);
    const now = ctx.clock.now();
    const entry = {
      id: newId(now),
      at: now,
      user_id: userId,
      from_pot: from,
      to_pot: to,
      amount,
      cause,
    };
    if (!(await insertEntry(db, entry))) return false;
    const pots = await moveBetweenPots(db, entry);
    if (!pots) refuse('insufficient_credits');
    if (from === 'available' || to === 'available') await ctx.publish(db, { user_id: userId });
    record(ctx, 'credits_moved', { user_id: userId, from, to, amount });
    if (to === 'available')
      await payOwed(inside, { userId, amount: Math.min(pots.available, pots.owed), cause });
    return true;
  });
}

/** What is owed goes back to the world together with what pays for it. */
async function payOwed(
  ctx: Context,
  { userId, amount, cause }: Pick<Move, 'userId' | 'amount' | 'cause'>,
): Promise<void> {
  if (amount <= 0) return;
  await moveCredits(ctx, {
    userId,
    from: 'available',
    to: 'world',
    amount,
    cause: `debt:${cause}:pays`,
  });
  await moveCredits(ctx, {
    userId,
    from: 'owed',
    to: 'world',
    amount,
    cause: `debt:${cause}:owed`,
  });
}
