import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { newRateWindow } from '../rate-window.ts';
import { queueSlices } from '../slices/queue.ts';
import { RowSet } from '../slices/row-set.ts';
import { maximumRowCrashes } from '../slices/sizes.ts';
import { type BatchRow, updateBatch } from '../store/batches.ts';
import { deleteFailedResults } from '../store/change-results.ts';
import { listResultRows } from '../store/results.ts';
import { deleteSlices, listQueuedSlices, reopenFailedSlices } from '../store/slices.ts';
import { refuseUnusable } from '../unusable-rows.ts';
import { describeBatch } from '../views.ts';
import { lockForAction } from './actions.ts';
import { laterDeadline } from './deadline.ts';
import { reserveCredits } from './reserve-credits.ts';

/** Runs the failed rows of an ended batch again. Rows that a stop left unsent stay unsent. */
export const retryFailedRows: Handler<'retryFailed'> = async (ctx, acting, { id }) => {
  const batch = await inTransaction(ctx, async (ctx) => {
    const { batch } = await lockForAction(ctx, acting, { id, action: 'retryFailed' });
    if ((await listQueuedSlices(ctx.db, id)).length > 0)
      refuse('not_now', { message: texts.rowsStillFinishing });
    return retry(ctx, acting, batch);
  });
  return { batch: await describeBatch(ctx, batch), message: texts.retrying };
};

async function retry(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  before: BatchRow,
): Promise<BatchRow> {
  await refuseUnusable(ctx, before.user_id, before.options.outputs);
  await reserveCredits(ctx, before, { needed: before.failed * before.price, isPartial: false });
  const now = ctx.clock.now();
  const recut = await prepareSlices(ctx, before);
  await deleteFailedResults(ctx.db, before.id);
  const batch = await updateBatch(ctx.db, before.id, {
    state: 'running',
    is_partial: false,
    failed: 0,
    ended_at: null,
    finish_by: laterDeadline(before, now),
    ...newRateWindow(now, before.answered + before.skipped),
    ...recut,
  });
  await queueSlices(ctx, batch);
  await writeAuditEntry(ctx, { actorId: actor.id, subjectId }, 'batch_retried', {
    batch: batch.id,
  });
  await ctx.publish(ctx.db, { user_id: subjectId, batch_id: batch.id, state: 'running' });
  return batch;
}

/** A completed batch of all rows reopens slices with failed rows. Others get new slices. */
async function prepareSlices(ctx: Context, batch: BatchRow) {
  if (batch.state === 'completed' && batch.selected_rows === null) {
    await reopenFailedSlices(ctx.db, batch.id, { crashCountsAtMost: maximumRowCrashes - 1 });
    return {};
  }
  const tried = await listResultRows(ctx.db, batch.id);
  await deleteSlices(ctx.db, batch.id);
  const { packed } = RowSet.of(tried, (tried.at(-1) ?? -1) + 1);
  return { selected_rows: packed, rows: tried.length, position: 0, slices: 0 };
}
