import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { deleteUnusedSheet } from '../../files/sheets.ts';
import { lockSheet } from '../../files/store.ts';
import { deleteNotifications } from '../../notifications/store.ts';
import { deletePromptOfBatch } from '../../prompts/store.ts';
import { findBatch, markDeleted } from '../store/batches.ts';
import { deleteResults } from '../store/change-results.ts';
import { deleteSlices } from '../store/slices.ts';
import { lockForAction } from './actions.ts';
import { releaseCredits } from './reserve-credits.ts';

/** Deletes prompts, answers and the file. The record keeps its counts and what it cost. */
export const deleteOwnBatch: Handler<'deleteBatch'> = async (ctx, acting, { id }) => {
  const { actor, subjectId } = acting;
  await inTransaction(ctx, async (ctx) => {
    // The sheet is always locked before its batch, as when a batch is created.
    const known = await findBatch(ctx.db, { id, userId: subjectId });
    if (known) await lockSheet(ctx.db, known.sheet_id);
    const { batch } = await lockForAction(ctx, acting, { id, action: 'delete' });
    // Rows still in flight after a stop can no longer be stored, so they are not charged.
    await releaseCredits(ctx, batch);
    await clearBatches(ctx, [batch.id]);
    await deletePromptOfBatch(ctx.db, batch);
    await deleteNotifications(ctx.db, { batchId: batch.id });
    await deleteUnusedSheet(ctx, batch.sheet_id);
    await writeAuditEntry(ctx, { actor, subjectId }, 'batch_deleted', { batch: id });
    await ctx.publish(ctx.db, { user_id: subjectId, batch_id: id, is_deleted: true });
    record(ctx, 'batch_deleted', { user_id: subjectId, actor_id: actor.id, batch: id });
  });
  return { message: texts.deleted };
};

/** From this many rows on, the embedded database is vacuumed at once, not at night. */
const vacuumFromRows = 10_000;

/**
 * Marks batches as deleted, however many, in the same few statements: all others wait for them on
 * the embedded database. Needs a transaction. A job for each batch removes the answers.
 */
export async function clearBatches(ctx: Context, ids: readonly string[]): Promise<void> {
  const jobs = ids.map((batchId) => ({ name: 'batches.clear', payload: { batchId } }));
  await ctx.enqueue(ctx.db, ...jobs);
  await deleteSlices(ctx.db, ids);
  await markDeleted(ctx.db, ids, ctx.clock.now());
}

/** Removes the answers of a deleted batch, which gets no new ones. */
export async function clearResults(ctx: Context, batchId: string): Promise<void> {
  const deleted = await deleteResults(ctx.db, batchId);
  if (deleted >= vacuumFromRows)
    await ctx.enqueue(ctx.db, {
      name: 'batches.vacuum',
      payload: { tables: ['public.results', 'public.slices'] },
    });
}
