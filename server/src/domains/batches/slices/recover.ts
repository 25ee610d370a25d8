import type { Context } from '../../../core/context.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after, minute } from '../../../lib/clock.ts';
import { longestAsk } from '../../prompts/chat-request.ts';
import { abandonPromptsBefore } from '../../prompts/single-prompts.ts';
import { releaseCredits } from '../lifecycle/reserve-credits.ts';
import { listBatchesToRecover, listReservedReady, lockBatch } from '../store/batches.ts';
import { countCrashes, releaseQueuedSlices, type SliceKey } from '../store/slices.ts';
import { queueSlices } from './queue.ts';
import { sliceQueueName } from './sizes.ts';

interface SliceQueue {
  listLeased(queue: string): Promise<unknown[]>;
  clear(queue: string): Promise<void>;
}

/** Counts a crash for slices whose process ended without releasing them. */
export async function recordCrashes(ctx: Context, slices: readonly SliceKey[]): Promise<void> {
  if (slices.length === 0) return;
  await countCrashes(ctx.db, slices);
  ctx.log.warn({ slices }, 'a process ended while it held these slices');
}

/** At the start of the only process. Counts a crash for each slice that was leased. */
export async function recoverFromCrash(ctx: Context, queue: SliceQueue): Promise<void> {
  const leased = (await queue.listLeased(sliceQueueName)) as { batch_id: string; first: number }[];
  const slices = leased.map(({ batch_id: batchId, first }) => ({ batchId, first }));
  await recordCrashes(ctx, slices);
  await queue.clear(sliceQueueName);
  await recoverBatches(ctx);
}

/**
 * Runs at the start of the only process, after the queue was emptied: any lease is stale. Queues
 * the slices of running batches and returns abandoned reservations.
 */
export async function recoverBatches(ctx: Context): Promise<void> {
  await returnAbandonedReservations(ctx, { isOnlyProcess: true });
  await releaseQueuedSlices(ctx.db);
  for (const { id } of await listBatchesToRecover(ctx.db)) {
    await inTransaction(ctx, async (ctx) => {
      const batch = await lockBatch(ctx.db, id);
      if (batch?.state === 'running') await queueSlices(ctx, batch);
      if (batch?.state === 'stopped') await releaseCredits(ctx, batch);
    });
  }
}

/** Time to store an answer after the longest time to get it. */
const grace = minute;

/** Of prompts and previews with an ended process. `isOnlyProcess`: no other may be asking one. */
export async function returnAbandonedReservations(
  ctx: Context,
  { isOnlyProcess = false } = {},
): Promise<void> {
  const now = ctx.clock.now();
  const before = isOnlyProcess ? after(now, grace) : after(now, -longestAsk(ctx) - grace);
  await abandonPromptsBefore(ctx, before);
  for (const { id } of await listReservedReady(ctx.db, before)) {
    await inTransaction(ctx, async (ctx) => {
      const batch = await lockBatch(ctx.db, id);
      if (batch?.state === 'ready' && batch.rate_window_start && batch.rate_window_start < before)
        await releaseCredits(ctx, batch);
    });
  }
}
