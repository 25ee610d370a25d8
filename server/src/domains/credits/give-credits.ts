import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { moveCredits } from './move-credits.ts';

interface Gift {
  fromUserId: string;
  toUserId: string;
  amount: number;
  cause: string;
}

/** Moves available submissions from one person to another: what the one gains, the other loses in the same moment. */
export async function giveCredits(ctx: Context, { fromUserId, toUserId, amount, cause }: Gift): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await moveCredits(inside, { userId: fromUserId, from: 'available', to: 'world', amount, cause });
    await moveCredits(inside, { userId: toUserId, from: 'world', to: 'available', amount, cause });
    await writeAuditEntry(inside, { actorId: fromUserId, subjectId: toUserId, act: 'credits_given', detail: { amount } });
  });
}
