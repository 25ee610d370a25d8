import type { PauseReason } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { batchMail } from '../jobs.ts';
import { queueSlices } from '../slices/queue.ts';
import { listBatchesIn, lockBatch, updateBatch } from '../store/batches.ts';

interface Pause {
  batchId: string;
  reason: Exclude<PauseReason, 'person'>;
  /** What the provider said. */
  detail?: string;
}

/** The engine cannot go on: the batch waits with the reason, and its owner is told once. */
export async function pauseByEngine(
  ctx: Context,
  { batchId, reason, detail }: Pause,
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const batch = await lockBatch(inside.db, batchId);
    if (batch?.state !== 'running') return;
    const pause = {
      state: 'paused',
      pause_reason: reason,
      pause_detail: detail ?? null,
      notified_pause_reason: reason,
    } as const;
    await updateBatch(inside.db, batchId, pause);
    // An outage that comes and goes is one outage.
    if (batch.notified_pause_reason !== reason)
      await inside.enqueue(inside.db, batchMail({ kind: 'paused', batchId }));
    await inside.publish(inside.db, { user_id: batch.user_id, batch_id: batchId, state: 'paused' });
    record(ctx, 'batch_paused', { user_id: batch.user_id, batch: batchId, reason });
  });
}

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
    const marks = {
      rate_window_start: now,
      rate_window_rows: batch.answered + batch.failed,
      previous_window_start: null,
    };
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
