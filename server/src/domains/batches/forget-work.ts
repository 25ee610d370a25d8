import type { Context } from '../../context.ts';
import { forgetSheet } from '../files/forget-sheet.ts';
import { listSheetIds } from '../files/store.ts';
import { forgetBatch } from './delete-batch.ts';
import { releaseHold } from './hold-for.ts';
import { type BatchRow, listBatchesOf, lockBatch, updateBatch } from './store/batches.ts';
import { deleteQuestionsOf } from './store/questions.ts';
import { deleteVariablesOf } from './store/variables.ts';

/** Everything that somebody has uploaded, asked and received. What runs is stopped first. Belongs into a transaction. */
export async function forgetWork(ctx: Context, userId: string): Promise<void> {
  for (const { id } of await listBatchesOf(ctx.db, userId)) {
    const batch = await lockBatch(ctx.db, id);
    if (batch) await end(ctx, batch);
  }
  await deleteQuestionsOf(ctx.db, userId);
  await deleteVariablesOf(ctx.db, userId);
  for (const id of await listSheetIds(ctx.db, userId)) await forgetSheet(ctx, id);
}

async function end(ctx: Context, batch: BatchRow): Promise<void> {
  await releaseHold(ctx, batch);
  if (batch.ended_at === null) {
    await updateBatch(ctx.db, batch.id, { state: 'stopped', pause_reason: null, ended_at: ctx.clock.now() });
  }
  await forgetBatch(ctx, batch);
  await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batch.id, is_deleted: true });
}
