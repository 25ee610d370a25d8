import type { Context } from '../../core/context.ts';
import { deleteSheets } from '../files/sheets.ts';
import { lockSheetsOf } from '../files/store.ts';
import { deleteNotifications } from '../notifications/store.ts';
import { abandonPrompt } from '../prompts/single-prompts.ts';
import { deletePromptsOf, deleteVariablesOf, lockUnendedPromptsOf } from '../prompts/store.ts';
import { clearBatches } from './lifecycle/delete.ts';
import { releaseCredits } from './lifecycle/reserve-credits.ts';
import { lockBatchesOf, updateBatch } from './store/batches.ts';

/** Stops and deletes all sheets, batches, prompts and variables. Needs a transaction. */
export async function deleteWork(ctx: Context, userId: string): Promise<void> {
  // Everywhere locks are taken in this order: sheets, batches, prompts, then the balance.
  const sheetIds = await lockSheetsOf(ctx.db, userId);
  const batches = await lockBatchesOf(ctx.db, userId);
  const prompts = await lockUnendedPromptsOf(ctx.db, userId);
  for (const batch of batches) await releaseCredits(ctx, batch);
  for (const { id, ended_at } of batches) if (ended_at === null) await stopBatch(ctx, userId, id);
  await clearBatches(
    ctx,
    batches.map(({ id }) => id),
  );
  for (const prompt of prompts) await abandonPrompt(ctx, prompt);
  await deletePromptsOf(ctx.db, userId);
  await deleteVariablesOf(ctx.db, userId);
  await deleteNotifications(ctx.db, { userId });
  await deleteSheets(ctx, sheetIds);
}

async function stopBatch(ctx: Context, userId: string, id: string): Promise<void> {
  const ended_at = ctx.clock.now();
  await updateBatch(ctx.db, id, { state: 'stopped', pause_reason: null, ended_at });
  await ctx.publish(ctx.db, { user_id: userId, batch_id: id, is_deleted: true });
}
