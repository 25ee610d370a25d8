import type { PauseReason } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { batchMail } from './jobs.ts';
import { lockBatch, updateBatch } from './store/batches.ts';

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
      told_reason: reason,
    } as const;
    await updateBatch(inside.db, batchId, pause);
    // An outage that comes and goes is one outage.
    if (batch.told_reason !== reason)
      await inside.enqueue(inside.db, batchMail({ kind: 'paused', batchId }));
    await inside.publish(inside.db, { user_id: batch.user_id, batch_id: batchId, state: 'paused' });
    record(ctx, 'batch_paused', { user_id: batch.user_id, batch: batchId, reason });
  });
}
