import type { Context } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { getBalance } from '../credits/get-balance.ts';
import { moveCredits } from '../credits/move-credits.ts';
import { addToHold, type BatchRow } from './store/batches.ts';

interface Need {
  needed: number;
  /** Less than is needed will do: the batch runs until it is used up. */
  isPartial: boolean;
}

/** Sets submissions aside for a batch, in the transaction in which it goes on. */
export async function holdFor(ctx: Context, batch: BatchRow, { needed, isPartial }: Need): Promise<void> {
  if (needed <= 0) return;
  const available = await getBalance(ctx, batch.user_id);
  const amount = isPartial ? Math.min(needed, Math.floor(available / batch.price) * batch.price) : needed;
  if (amount <= 0 || amount > available) refuse('insufficient_credits', { message: wordsFor(needed, available) });
  const cause = `hold:${batch.id}:${newId(ctx.clock.now())}`;
  await moveCredits(ctx, { userId: batch.user_id, from: 'available', to: 'held', amount, cause });
  await addToHold(ctx.db, batch.id, amount);
}

/** What the hold still has returns to the person; `keep` stays for the rows that are in flight. */
export async function releaseHold(ctx: Context, batch: Pick<BatchRow, 'id' | 'user_id' | 'held'>, keep = 0): Promise<void> {
  const amount = batch.held - Math.min(keep, batch.held);
  if (amount <= 0) return;
  const cause = `release:${batch.id}:${newId(ctx.clock.now())}`;
  await moveCredits(ctx, { userId: batch.user_id, from: 'held', to: 'available', amount, cause });
  await addToHold(ctx.db, batch.id, -amount);
}

function wordsFor(needed: number, available: number): string {
  return `This needs ${needed.toLocaleString('en')} submissions, and ${available.toLocaleString('en')} are available.`;
}
