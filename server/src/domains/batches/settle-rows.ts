import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { after, second } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { chargeHold } from '../credits/charge-hold.ts';
import { finishBatch } from './finish-batch.ts';
import type { BatchRow } from './store/batches.ts';
import { insertResults, type RowResult } from './store/results.ts';

/** The pace is measured from a mark that is between one and two of these old. */
const markEvery = 10 * second;

/**
 * One transaction for many rows: their results, their charge, the counts, and the end of the batch when these were the
 * last. Gives back the batch, whose state says whether its rows are still wanted; nothing when it is gone.
 */
export async function settleRows(
  ctx: Context,
  { batchId, results }: { batchId: string; results: readonly RowResult[] },
): Promise<BatchRow | undefined> {
  return inTransaction(ctx, async (inside) => {
    const now = ctx.clock.now();
    const batch = await insertResults(inside.db, { batchId, results, now, markBefore: after(now, -markEvery) });
    if (!batch) return undefined;
    const charge = batch.new_answers * batch.price;
    if (charge > 0) {
      const cause = `settle:${batchId}:${newId(now)}`;
      await chargeHold(inside, { userId: batch.user_id, amount: charge, cause });
    }
    record(ctx, 'rows_settled', { batch: batchId, answered: batch.new_answers, failed: batch.new_failures });
    const isLast = batch.state === 'running' && batch.answered + batch.failed === batch.rows;
    if (isLast) return finishBatch(inside, batch);
    await inside.publish(inside.db, { user_id: batch.user_id, batch_id: batchId, state: batch.state });
    return batch;
  });
}
