import type { Context } from '../../../core/context.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after } from '../../../lib/clock.ts';
import { returnQuestion } from '../../prompts/single-prompts.ts';
import { listUnendedQuestions } from '../../prompts/store.ts';
import { releaseHold } from '../lifecycle/reserve-credits.ts';
import { listBatchesToRescue, listHeldReady, lockBatch } from '../store/batches.ts';
import { layAsideQueuedSlices } from '../store/slices.ts';
import { queueSlices } from './queue.ts';

/**
 * For a process that knows it is alone, at its start: whatever was in somebody's hands is in nobody's now. The queue of
 * slices has been emptied before; running batches fill it again, and holds that nobody will settle return.
 */
export async function rescueBatches(ctx: Context): Promise<void> {
  await rescueQuestions(ctx, { alone: true });
  await layAsideQueuedSlices(ctx.db);
  for (const batch of await listBatchesToRescue(ctx.db)) {
    await inTransaction(ctx, async (inside) => {
      if (batch.state === 'running') await queueSlices(inside, batch.id);
      else await releaseHold(inside, batch);
    });
  }
}

/** Nobody waits for an answer longer than the deadline of a call; some more for whoever settles it. */
const graceMilliseconds = 60_000;

/** What is held for a question or a preview whose asker has died returns. `alone` says that nobody else can be asking. */
export async function rescueQuestions(ctx: Context, { alone = false } = {}): Promise<void> {
  const now = ctx.clock.now();
  const before = alone
    ? after(now, graceMilliseconds)
    : after(now, -ctx.config.chat.deadlineMilliseconds - graceMilliseconds);
  for (const question of await listUnendedQuestions(ctx.db, before))
    await returnQuestion(ctx, question);
  for (const { id } of await listHeldReady(ctx.db, before))
    await returnPreview(ctx, { id, before });
}

async function returnPreview(
  ctx: Context,
  { id, before }: { id: string; before: Date },
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const batch = await lockBatch(inside.db, id);
    if (batch?.state === 'ready' && batch.rate_window_start && batch.rate_window_start < before)
      await releaseHold(inside, batch);
  });
}
