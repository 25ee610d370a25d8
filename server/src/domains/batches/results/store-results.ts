import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after, second } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import { chargeReserved } from '../../credits/charge-hold.ts';
import { finishBatch, isDone } from '../lifecycle/finish.ts';
import type { BatchRow } from '../store/batches.ts';
import { insertResults, type RowResult } from '../store/results.ts';

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
    const batch = await insertResults(inside.db, {
      batchId,
      results,
      now,
      markBefore: after(now, -markEvery),
    });
    if (!batch) return undefined;
    ctx.passFaultPoint?.('during-flush');
    const charge = batch.new_answers * batch.price;
    if (charge > 0) {
      const cause = `settle:${batchId}:${newId(now)}`;
      await chargeReserved(inside, { userId: batch.user_id, amount: charge, cause });
    }
    record(ctx, 'rows_settled', {
      batch: batchId,
      answered: batch.new_answers,
      failed: batch.new_failures,
    });
    const known = results.length - batch.new_answers - batch.new_failures;
    // Of a slice that two workers had, one of them thought dead: it is charged once, and counted here.
    if (known > 0) record(ctx, 'rows_settled_before', { batch: batchId, rows: known });
    // A pause lets what is in flight end; when these were the last rows, nothing is left to go on with.
    const isUnderWay = batch.state === 'running' || batch.state === 'paused';
    const isEnd = isUnderWay && isDone(batch);
    const settled = isEnd ? await finishBatch(inside, batch) : batch;
    if (!isEnd) await inside.publish(inside.db, { user_id: batch.user_id, batch_id: batchId });
    ctx.passFaultPoint?.('before-commit');
    return settled;
  });
}
