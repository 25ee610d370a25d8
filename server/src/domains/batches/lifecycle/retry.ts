import type { ParsedRequestOf, retryFailed } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { queueSlices } from '../slices/queue.ts';
import { type BatchRow, updateBatch } from '../store/batches.ts';
import { deleteFailedResults, listResultRows } from '../store/results.ts';
import { deleteSlices, listQueuedSlices, reviveFailedSlices } from '../store/slices.ts';
import { describeBatch } from '../views.ts';
import { admitAction } from './actions.ts';
import { holdFor } from './reserve-credits.ts';

/** Runs the failed rows of an ended batch once more. What a stop has left unasked stays unasked. */
export async function retryFailedRows(
  ctx: Context,
  acting: ActingFor,
  { id }: ParsedRequestOf<typeof retryFailed>,
) {
  const batch = await inTransaction(ctx, async (inside) => {
    const { batch } = await admitAction(inside, acting, { id, action: 'retryFailed' });
    if ((await listQueuedSlices(inside.db, id)).length > 0) {
      refuse('not_now', {
        message:
          'The last rows of this batch are still being settled. Please try again in a moment.',
      });
    }
    return retry(inside, acting, batch);
  });
  return { batch: await describeBatch(ctx, batch) };
}

async function retry(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  before: BatchRow,
): Promise<BatchRow> {
  await holdFor(ctx, before, { needed: before.failed * before.price, isPartial: false });
  const again = await prepareSlices(ctx, before);
  await deleteFailedResults(ctx.db, before.id);
  const now = ctx.clock.now();
  const marks = {
    rate_window_start: now,
    rate_window_rows: before.answered,
    previous_window_start: null,
  };
  const batch = await updateBatch(ctx.db, before.id, {
    state: 'running',
    is_partial: false,
    failed: 0,
    ended_at: null,
    ...marks,
    ...again,
  });
  await queueSlices(ctx, batch.id);
  await writeAuditEntry(ctx, {
    actorId: actor.id,
    subjectId,
    act: 'batch_retried',
    detail: { batch: batch.id },
  });
  await ctx.publish(ctx.db, { user_id: subjectId, batch_id: batch.id, state: 'running' });
  return batch;
}

/** A completed batch of whole rows finds its failed ones in their slices; any other is cut anew from the rows it has tried. */
async function prepareSlices(ctx: Context, batch: BatchRow) {
  if (batch.state === 'completed' && batch.selection === null) {
    await reviveFailedSlices(ctx.db, batch.id);
    return {};
  }
  const tried = await listResultRows(ctx.db, batch.id);
  await deleteSlices(ctx.db, batch.id);
  return { selection: JSON.stringify(tried), rows: tried.length, position: 0, slices: 0 };
}
