import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { invariant, refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { newRateWindow } from '../rate-window.ts';
import { secondsBetween } from '../run-time.ts';
import { queueSlices } from '../slices/queue.ts';
import { RowSet } from '../slices/row-set.ts';
import { maximumRowCrashes, selectedRows, sheetRows } from '../slices/sizes.ts';
import {
  type BatchRow,
  doneRows,
  isComplete,
  listRetrying,
  lockBatch,
  updateBatch,
} from '../store/batches.ts';
import { deleteFailedResults } from '../store/change-results.ts';
import { findFailedRow, listResultRows } from '../store/results.ts';
import {
  deleteSlices,
  findSliceEnd,
  listQueuedSlices,
  reopenFailedSlices,
} from '../store/slices.ts';
import { refuseUnusable } from '../unusable-rows.ts';
import { describeBatch } from '../views.ts';
import { lockForAction } from './actions.ts';
import { laterDeadline } from './deadline.ts';
import { finishBatch } from './finish.ts';
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
  const started = await updateBatch(ctx.db, before.id, {
    state: 'running',
    is_partial: false,
    open_free_rows: 0,
    retry_position: 0,
    ended_at: null,
    idle_seconds: before.idle_seconds + secondsBetween(before.ended_at ?? now, now),
    finish_by: laterDeadline(before, now),
    ...newRateWindow(now, doneRows(before)),
    ...recut,
  });
  const batch = await clearSomeFailed(ctx, started);
  if (batch.retry_position !== null)
    await ctx.enqueue(ctx.db, { name: 'batches.continue-retries', payload: {} });
  await writeAuditEntry(ctx, { actor, subjectId }, 'batch_retried', { batch: batch.id });
  await ctx.publish(ctx.db, { user_id: subjectId, batch_id: batch.id, state: 'running' });
  return batch;
}

/** A completed batch of all rows keeps its slices, to reopen some. Others get new slices. */
async function prepareSlices(ctx: Context, batch: BatchRow) {
  if (batch.state === 'completed' && batch.selected_rows === null) return {};
  const tried = await listResultRows(ctx.db, batch.id);
  await deleteSlices(ctx.db, [batch.id]);
  const { packed } = RowSet.of(tried, (tried.at(-1) ?? -1) + 1);
  const recut = { selected_rows: packed, rows: tried.length, position: 0, slices: 0 };
  // It was made for all rows, also those that a stop left unsent.
  return tried.length < batch.rows ? { ...recut, estimate: null } : recut;
}

/** Clears the rest of large retries, some rows in each transaction. */
export async function continueRetries(ctx: Context): Promise<void> {
  for (const { id } of await listRetrying(ctx.db)) {
    while (await inTransaction(ctx, (ctx) => continueRetry(ctx, id)));
  }
}

/** Returns whether failed rows are left. */
async function continueRetry(ctx: Context, batchId: string): Promise<boolean> {
  const locked = await lockBatch(ctx.db, batchId);
  const isOpen = locked?.state === 'running' || locked?.state === 'paused';
  if (!isOpen || locked.retry_position === null) return false;
  const batch = await clearSomeFailed(ctx, locked);
  // The other rows may have been answered by now.
  if (isComplete(batch)) await finishBatch(ctx, batch);
  else await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batchId });
  return batch.retry_position !== null;
}

/** A million in one statement would hold the embedded database for 40 s. */
const clearedAtOnce = 5_000;

/** Makes some thousand failed rows wait, and queues their slices. The batch is locked. */
async function clearSomeFailed(ctx: Context, batch: BatchRow): Promise<BatchRow> {
  const { id: batchId, retry_position: position } = batch;
  invariant(position !== null, 'a retry has failed rows to clear');
  const rowAt = (first: number) => sheetRows(batch, { first, count: 1 })[0] ?? 0;
  const first = rowAt(position);
  const beyond = await findFailedRow(ctx.db, { batchId, first, skip: clearedAtOnce });
  const end = beyond === undefined ? batch.rows : await endAt(ctx, batch, beyond);
  await reopenFailedSlices(ctx.db, {
    batchId,
    first: position,
    end,
    crashCountsAtMost: maximumRowCrashes - 1,
  });
  await deleteFailedResults(ctx.db, { batchId, first, last: rowAt(end - 1) });
  const cleared = await updateBatch(ctx.db, batchId, {
    retry_position: end === batch.rows ? null : end,
  });
  await queueSlices(ctx, cleared);
  return cleared;
}

/** Where a step ends that leaves this row: before it, or behind the slice that it cuts in two. */
async function endAt(ctx: Context, batch: BatchRow, row: number): Promise<number> {
  const { id: batchId, retry_position } = batch;
  const end = selectedRows(batch)?.indexOf(row) ?? row;
  return (await findSliceEnd(ctx.db, { batchId, first: retry_position ?? 0, end })) ?? end;
}
