import type { Context } from '../../core/context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { deleteSheets } from '../files/sheets.ts';
import { deleteUnusedSheets } from '../files/storage.ts';
import { lockSheetsOf } from '../files/store.ts';
import { updateUser } from '../identity/store/users.ts';
import { deleteNotifications } from '../notifications/store.ts';
import { abandonPrompt } from '../prompts/single-prompts.ts';
import {
  deleteEndedPromptsOf,
  deletePromptsOf,
  deleteVariablesOf,
  lockUnendedPromptsOf,
} from '../prompts/store.ts';
import { clearBatches } from './lifecycle/delete.ts';
import { releaseCredits } from './lifecycle/reserve-credits.ts';
import { lockBatchesOf, lockEndedBatchesOf, stopBatches } from './store/batches.ts';

/** Others wait for these on the embedded database. */
const batchesAtOnce = 200;
const promptsAtOnce = 5_000;

/** Deletes ended work, some in each transaction, so that the one that deletes the rest is short. */
export async function deleteEndedWork(ctx: Context, userId: string): Promise<void> {
  const isFullOfBatches = () =>
    inTransaction(ctx, async (ctx) => {
      const batches = await lockEndedBatchesOf(ctx.db, userId, batchesAtOnce);
      await stopAndClear(ctx, batches);
      return batches.length === batchesAtOnce;
    });
  const isFullOfPrompts = () =>
    inTransaction(ctx, async ({ db }) => {
      const prompts = await deleteEndedPromptsOf(db, userId, promptsAtOnce);
      // What they cost stays, also if the rest cannot be deleted.
      if (prompts > 0) await updateUser(db, userId, { deletion_began_at: ctx.clock.now() });
      return prompts === promptsAtOnce;
    });
  while (await isFullOfBatches());
  while (await isFullOfPrompts());
  await deleteUnusedSheets(ctx, { userId });
}

/** Stops and deletes all sheets, batches, prompts and variables. Needs a transaction. */
export async function deleteWork(ctx: Context, userId: string): Promise<void> {
  // Everywhere locks are taken in this order: sheets, batches, prompts, then the balance.
  const sheetIds = await lockSheetsOf(ctx.db, userId);
  const batches = await lockBatchesOf(ctx.db, userId);
  const prompts = await lockUnendedPromptsOf(ctx.db, userId);
  await stopAndClear(ctx, batches);
  for (const prompt of prompts) await abandonPrompt(ctx, prompt);
  await deletePromptsOf(ctx.db, userId);
  await deleteVariablesOf(ctx.db, userId);
  await deleteNotifications(ctx.db, { userId });
  await deleteSheets(ctx, sheetIds);
}

type LockedBatch = Awaited<ReturnType<typeof lockBatchesOf>>[number];

async function stopAndClear(ctx: Context, batches: readonly LockedBatch[]): Promise<void> {
  for (const batch of batches) await releaseCredits(ctx, batch);
  const unended = batches.filter(({ ended_at }) => ended_at === null).map(({ id }) => id);
  await stopBatches(ctx.db, unended, ctx.clock.now());
  const ids = batches.map(({ id }) => id);
  await clearBatches(ctx, ids);
  // Only these may have calls in flight that cost something.
  for (const { id, user_id, state, reserved } of batches)
    if (state === 'running' || reserved > 0)
      await ctx.publish(ctx.db, { user_id, batch_id: id, is_deleted: true });
}
