import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { moveCredits } from './move-credits.ts';
import { lockAccount, openAccount } from './store.ts';

interface Reversal {
  userId: string;
  amount: number;
  cause: string;
}

/** What is available goes back to the world; what is missing, because it is spent or held already, is owed. */
export async function reverseGrant(
  ctx: Context,
  { userId, amount, cause }: Reversal,
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await openAccount(inside.db, userId);
    const { available } = await lockAccount(inside.db, userId);
    const there = Math.min(available, amount);
    if (there > 0)
      await moveCredits(inside, { userId, from: 'available', to: 'world', amount: there, cause });
    if (there < amount)
      await moveCredits(inside, {
        userId,
        from: 'world',
        to: 'owed',
        amount: amount - there,
        cause: `${cause}:owed`,
      });
  });
}
