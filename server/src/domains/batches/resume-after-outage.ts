import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { pauseByEngine } from './pause-by-engine.ts';
import { queueSlices } from './queue-slices.ts';
import { listBatchesIn, lockBatch, updateBatch } from './store/batches.ts';

type Outage = 'provider_down' | 'storage_full';

/** The provider answers again, or there is room again: what the engine paused for that reason goes on by itself. */
export async function resumeAfterOutage(
  ctx: Context,
  reason: Outage = 'provider_down',
): Promise<void> {
  for (const { id } of await listBatchesIn(ctx.db, ['paused'])) await resume(ctx, id, reason);
}

async function resume(ctx: Context, batchId: string, reason: Outage): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const batch = await lockBatch(inside.db, batchId);
    if (batch?.state !== 'paused' || batch.pause_reason !== reason) return;
    const now = ctx.clock.now();
    const marks = { mark_at: now, mark_rows: batch.answered + batch.failed, older_at: null };
    await updateBatch(inside.db, batchId, {
      state: 'running',
      pause_reason: null,
      pause_detail: null,
      ...marks,
    });
    const queued = await queueSlices(inside, batchId);
    await inside.publish(inside.db, {
      user_id: batch.user_id,
      batch_id: batchId,
      state: 'running',
    });
    record(ctx, 'batch_played', { user_id: batch.user_id, batch: batchId });
    // The rows that were in flight have used up what was held.
    if (queued === 0) await pauseByEngine(inside, { batchId, reason: 'needs_credits' });
  });
}
