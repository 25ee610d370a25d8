import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { releaseHold } from './hold-for.ts';
import { pauseByEngine } from './pause-by-engine.ts';
import { queueSlicesOf } from './queue-slices.ts';
import { sliceQueueName } from './rules.ts';
import { lockBatch } from './store/batches.ts';
import { layDownSlice } from './store/slices.ts';

interface Ended {
  batchId: string;
  first: number;
  claim: { id: string; retryCount: number };
  /** Whether every row of it has a result. */
  isComplete: boolean;
}

/**
 * A worker lays a slice out of its hands: it is done, or waits for the batch to go on, or goes back into the queue when
 * the batch runs again already. Its job ends in the same transaction, so that no slice is lost and none is there twice.
 */
export async function endSlice(
  ctx: Context,
  { batchId, first, claim, isComplete }: Ended,
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const batch = await lockBatch(inside.db, batchId);
    const isOurs = await inside.finishJob(inside.db, { name: sliceQueueName, ...claim });
    // A worker that was thought dead has settled what it knew; the slice is another's now.
    if (!batch || !isOurs) return;
    await layDownSlice(inside.db, { batchId, first, state: isComplete ? 'done' : 'idle' });
    const queued = await queueSlicesOf(inside, batch);
    if (queued > 0) return;
    if (batch.state === 'stopped') {
      await releaseHold(inside, batch);
      await inside.publish(inside.db, {
        user_id: batch.user_id,
        batch_id: batchId,
        state: 'stopped',
      });
    }
    // Rows are left, and what was held is used up.
    if (batch.state === 'running' && batch.is_partial)
      await pauseByEngine(inside, { batchId, reason: 'needs_credits' });
  });
}
