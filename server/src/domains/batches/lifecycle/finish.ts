import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { isWorthEmail, notifyOfBatch } from '../emails.ts';
import { type BatchRow, updateBatch } from '../store/batches.ts';
import { releaseCredits } from './reserve-credits.ts';

/** Completes a batch with all results and releases its reservation. Needs a transaction. */
export async function finishBatch(ctx: Context, batch: BatchRow): Promise<BatchRow> {
  await releaseCredits(ctx, batch);
  const ended = await updateBatch(ctx.db, batch.id, {
    state: 'completed',
    pause_reason: null,
    ended_at: ctx.clock.now(),
  });
  await notifyOfBatch(ctx, ended, 'batch_completed', {
    wantsEmail: await isWorthEmail(ctx, ended),
  });
  // The next one that waits for capacity takes its place.
  if (batch.finish_by)
    await ctx.enqueue(ctx.db, { name: 'batches.economy', payload: { userId: batch.user_id } });
  await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batch.id, state: 'completed' });
  record(ctx, 'batch_completed', {
    user_id: batch.user_id,
    batch: batch.id,
    answered: ended.answered,
    failed: ended.failed,
    skipped: ended.skipped,
  });
  return ended;
}
