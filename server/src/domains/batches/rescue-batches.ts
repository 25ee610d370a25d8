import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { releaseHold } from './hold-for.ts';
import { queueSlices } from './queue-slices.ts';
import { rescueQuestions } from './rescue-questions.ts';
import { listBatchesToRescue } from './store/batches.ts';
import { layAsideQueuedSlices } from './store/slices.ts';

/**
 * For a process that knows it is alone, at its start: whatever was in somebody's hands is in nobody's now. The queue of
 * slices has been emptied before; running batches fill it again, and holds that nobody will settle return.
 */
export async function rescueBatches(ctx: Context): Promise<void> {
  await rescueQuestions(ctx, { alone: true });
  await layAsideQueuedSlices(ctx.db);
  for (const batch of await listBatchesToRescue(ctx.db)) {
    await inTransaction(ctx, async (inside) => {
      if (batch.state === 'running') await queueSlices(inside, batch.id);
      else await releaseHold(inside, batch);
    });
  }
}
