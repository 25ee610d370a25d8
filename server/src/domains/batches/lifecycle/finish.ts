import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { batchMail } from '../jobs.ts';
import { type BatchRow, updateBatch } from '../store/batches.ts';
import { releaseHold } from './reserve-credits.ts';

export function isDone({ answered, failed, rows }: BatchRow): boolean {
  return answered + failed === rows;
}

/** Every row has its result: the rest of the hold returns in the transaction in which the batch ends. */
export async function finishBatch(ctx: Context, batch: BatchRow): Promise<BatchRow> {
  await releaseHold(ctx, batch);
  const ended = await updateBatch(ctx.db, batch.id, {
    state: 'completed',
    pause_reason: null,
    ended_at: ctx.clock.now(),
  });
  await ctx.enqueue(ctx.db, batchMail({ kind: 'completed', batchId: batch.id }));
  await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batch.id, state: 'completed' });
  record(ctx, 'batch_completed', {
    user_id: batch.user_id,
    batch: batch.id,
    answered: ended.answered,
    failed: ended.failed,
  });
  return ended;
}
