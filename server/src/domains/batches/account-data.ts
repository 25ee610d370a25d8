import type { Context } from '../../core/context.ts';
import { deleteUnusedSheet } from '../files/sheets.ts';
import { listSheetIds, lockSheet } from '../files/store.ts';
import { returnQuestion } from '../prompts/single-prompts.ts';
import {
  deleteQuestionsOf,
  deleteVariablesOf,
  listQuestions,
  listVariables,
  lockQuestionsBeingAsked,
} from '../prompts/store.ts';
import { forgetBatch } from './lifecycle/delete.ts';
import { releaseHold } from './lifecycle/reserve-credits.ts';
import { type BatchRow, listBatchesOf, lockBatchesOf, updateBatch } from './store/batches.ts';
import { describeBatch } from './views.ts';

const questionsAtMost = 10_000;

/** What somebody has asked, for the file of his data. The answers themselves he downloads batch by batch. */
export async function exportWork(ctx: Context, userId: string) {
  const batches = [];
  for (const row of await listBatchesOf(ctx.db, userId))
    batches.push(await describeBatch(ctx, row));
  return {
    batches,
    questions: await listQuestions(ctx.db, {
      userId,
      start: 0,
      limit: questionsAtMost,
      search: '',
    }),
    variables: await listVariables(ctx.db, userId),
  };
}

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
  for (const id of sheetIds) await deleteUnusedSheet(ctx, id);
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
