import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { newId } from '../../../lib/ids.ts';
import { checkSpendingLimit } from '../../credits/admit-spending.ts';
import { getBalance } from '../../credits/get-balance.ts';
import { moveCredits } from '../../credits/move-credits.ts';
import { assertMayStartWork } from '../../credits/refuse-new-work.ts';
import { addToHold, type BatchRow } from '../store/batches.ts';

interface Need {
  needed: number;
  /** Less than is needed will do: the batch runs until it is used up. */
  isPartial: boolean;
}

/** Sets submissions aside for a batch, in the transaction in which it goes on, and says how many. */
export async function holdFor(
  ctx: Context,
  batch: BatchRow,
  { needed, isPartial }: Need,
): Promise<number> {
  if (needed > 0 || !batch.started_at) await assertMayStartWork(ctx, batch.user_id);
  if (needed <= 0) return 0;
  const admitted = await checkSpendingLimit(ctx, {
    userId: batch.user_id,
    amount: isPartial ? batch.price : needed,
    wanted: needed,
  });
  const available = Math.min(await getBalance(ctx, batch.user_id), admitted);
  const amount = isPartial
    ? Math.min(needed, Math.floor(available / batch.price) * batch.price)
    : needed;
  if (amount <= 0 || amount > available)
    refuse('insufficient_credits', { message: wordsFor(needed, available) });
  const cause = `hold:${batch.id}:${newId(ctx.clock.now())}`;
  await moveCredits(ctx, {
    userId: batch.user_id,
    from: 'available',
    to: 'reserved',
    amount,
    cause,
  });
  await addToHold(ctx.db, batch.id, amount);
  return amount;
}

/** What the hold still has returns to the person; `keep` stays for the rows that are in flight. */
export async function releaseHold(
  ctx: Context,
  batch: Pick<BatchRow, 'id' | 'user_id' | 'reserved'>,
  keep = 0,
): Promise<void> {
  const amount = batch.reserved - Math.min(keep, batch.reserved);
  if (amount <= 0) return;
  const cause = `release:${batch.id}:${newId(ctx.clock.now())}`;
  await moveCredits(ctx, {
    userId: batch.user_id,
    from: 'reserved',
    to: 'available',
    amount,
    cause,
  });
  await addToHold(ctx.db, batch.id, -amount);
}

function wordsFor(needed: number, available: number): string {
  return `This needs ${needed.toLocaleString('en')} submissions, and ${available.toLocaleString('en')} are available.`;
}
