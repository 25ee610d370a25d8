import type { Context } from '../../core/context.ts';
import { deleteUnusedSheet } from '../files/sheets.ts';
import { listSheetIds, lockSheet } from '../files/store.ts';
import { deleteNotifications } from '../notifications/store.ts';
import { abandonPrompt } from '../prompts/single-prompts.ts';
import { deletePromptsOf, deleteVariablesOf, lockUnendedPromptsOf } from '../prompts/store.ts';
import { clearBatch } from './lifecycle/delete.ts';
import { releaseCredits } from './lifecycle/reserve-credits.ts';
import { type BatchRow, lockBatchesOf, updateBatch } from './store/batches.ts';

/** Stops and deletes all sheets, batches, prompts and variables. Needs a transaction. */
export async function deleteWork(ctx: Context, userId: string): Promise<void> {
  // Everywhere locks are taken in this order: sheets, batches, prompts, then the balance.
  const sheetIds = await listSheetIds(ctx.db, userId);
  for (const id of sheetIds) await lockSheet(ctx.db, id);
  const batches = await lockBatchesOf(ctx.db, userId);
  const prompts = await lockUnendedPromptsOf(ctx.db, userId);
  for (const batch of batches) await stopAndClear(ctx, batch);
  for (const prompt of prompts) await abandonPrompt(ctx, prompt);
  await deletePromptsOf(ctx.db, userId);
  await deleteVariablesOf(ctx.db, userId);
  await deleteNotifications(ctx.db, { userId });
  for (const id of sheetIds) await deleteUnusedSheet(ctx, id);
}

async function stopAndClear(ctx: Context, batch: BatchRow): Promise<void> {
  await releaseCredits(ctx, batch);
  if (batch.ended_at === null) {
    await updateBatch(ctx.db, batch.id, {
      state: 'stopped',
      pause_reason: null,
      ended_at: ctx.clock.now(),
    });
  }
  await clearBatch(ctx, batch);
  await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batch.id, is_deleted: true });
}
