import type { Context } from '../../context.ts';
import { forgetSheet } from '../files/forget-sheet.ts';
import { listSheetIds, lockSheet } from '../files/store.ts';
import { returnQuestion } from './ask-question.ts';
import { forgetBatch } from './delete-batch.ts';
import { releaseHold } from './hold-for.ts';
import { type BatchRow, lockBatchesOf, updateBatch } from './store/batches.ts';
import { deleteQuestionsOf, lockQuestionsBeingAsked } from './store/questions.ts';
import { deleteVariablesOf } from './store/variables.ts';

/** Everything that somebody has uploaded, asked and received. What runs is stopped first. Belongs into a transaction. */
export async function forgetWork(ctx: Context, userId: string): Promise<void> {
  // Sheets, batches, questions, and the balance last: whoever else takes several of these takes them in this order.
  const sheetIds = await listSheetIds(ctx.db, userId);
  for (const id of sheetIds) await lockSheet(ctx.db, id);
  const batches = await lockBatchesOf(ctx.db, userId);
  const questions = await lockQuestionsBeingAsked(ctx.db, userId);
  for (const batch of batches) await end(ctx, batch);
  for (const question of questions) await returnQuestion(ctx, question);
  await deleteQuestionsOf(ctx.db, userId);
  await deleteVariablesOf(ctx.db, userId);
  for (const id of sheetIds) await forgetSheet(ctx, id);
}

async function end(ctx: Context, batch: BatchRow): Promise<void> {
  await releaseHold(ctx, batch);
  if (batch.ended_at === null) {
    await updateBatch(ctx.db, batch.id, {
      state: 'stopped',
      pause_reason: null,
      ended_at: ctx.clock.now(),
    });
  }
  await forgetBatch(ctx, batch);
  await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batch.id, is_deleted: true });
}
