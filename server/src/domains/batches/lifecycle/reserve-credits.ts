import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { newId } from '../../../lib/ids.ts';
import * as texts from '../../../texts/batches.ts';
import { moveCredits } from '../../credits/ledger.ts';
import { checkSpending } from '../../credits/spending.ts';
import { addToReservation, type BatchRow } from '../store/batches.ts';

interface Need {
  needed: number;
  /** Reserve less if less is available, but for whole rows; the batch runs until it is used up. */
  isPartial: boolean;
}

/** Reserves submissions for a batch and returns how many. Needs a transaction. */
export async function reserveCredits(
  ctx: Context,
  batch: BatchRow,
  { needed, isPartial }: Need,
): Promise<number> {
  if (needed <= 0 && batch.started_at) return 0;
  const { price } = batch;
  // A price by size may have left a part of a row in the reservation.
  const forOneRow = needed % price || price;
  const available = await checkSpending(ctx, {
    userId: batch.user_id,
    amount: isPartial ? Math.min(needed, forOneRow) : needed,
    wanted: needed,
  });
  if (needed <= 0) return 0;
  const missing = isPartial ? Math.max(0, needed - available) : 0;
  const amount = needed - Math.ceil(missing / price) * price;
  if (amount <= 0 || amount > available)
    refuse('insufficient_credits', { message: texts.notEnoughCredits(needed, available) });
  await moveCredits(ctx, {
    userId: batch.user_id,
    from: 'available',
    to: 'reserved',
    amount,
    cause: `hold:${batch.id}:${newId(ctx.clock.now())}`,
  });
  await addToReservation(ctx.db, batch.id, amount);
  return amount;
}

/** Returns a batch's reservation, except `keep` for rows in flight. Needs a transaction. */
export async function releaseCredits(
  ctx: Context,
  batch: Pick<BatchRow, 'id' | 'user_id' | 'reserved'>,
  keep = 0,
): Promise<void> {
  const amount = batch.reserved - Math.min(keep, batch.reserved);
  if (amount <= 0) return;
  await moveCredits(ctx, {
    userId: batch.user_id,
    from: 'reserved',
    to: 'available',
    amount,
    cause: `release:${batch.id}:${newId(ctx.clock.now())}`,
  });
  await addToReservation(ctx.db, batch.id, -amount);
}
