import { setTimeout as wait } from 'node:timers/promises';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { withdrawSlices } from '../slices/queue.ts';
import { type BatchRow, findBatch, findBatchById, updateBatch } from '../store/batches.ts';
import { listQueuedSlices } from '../store/slices.ts';
import { describeBatch, returnedOf } from '../views.ts';
import { lockForAction, reportAction } from './actions.ts';
import { releaseCredits } from './reserve-credits.ts';

/** Rows in flight usually finish within this time, and the answer then shows the final receipt. */
const patienceMilliseconds = 800;
const pollMilliseconds = 20;

/**
 * Sends nothing more. Releases the reservation at once, except for rows that may be in flight:
 * these are stored, or dropped after a grace period with the rest of the reservation.
 */
export const stopBatch: Handler<'stopFileProcessing'> = async (ctx, acting, request) => {
  const before = await findBatch(ctx.db, { id: request.id, userId: acting.subjectId });
  const stopped = await whenReleased(ctx, await stopWithoutWaiting(ctx, acting, request));
  const returned = returnedOf(stopped) - (before ? returnedOf(before) : 0);
  return { batch: await describeBatch(ctx, stopped), message: texts.stopped(returned) };
};

/** Does not wait for rows in flight. */
export async function stopWithoutWaiting(
  ctx: Context,
  acting: ActingFor,
  { id }: { id: string },
): Promise<BatchRow> {
  return inTransaction(ctx, async (ctx) => {
    const { batch, isDone } = await lockForAction(ctx, acting, { id, action: 'stop' });
    if (isDone) return batch;
    await withdrawSlices(ctx, batch.id);
    const queued = await listQueuedSlices(ctx.db, batch.id);
    const inFlight = queued.reduce((sum, { count }) => sum + count, 0);
    await releaseCredits(ctx, batch, inFlight * batch.price);
    const stopped = await updateBatch(ctx.db, batch.id, {
      state: 'stopped',
      pause_reason: null,
      pause_detail: null,
      ended_at: ctx.clock.now(),
    });
    await reportAction(ctx, acting, stopped, 'batch_stopped');
    return stopped;
  });
}

async function whenReleased(ctx: Context, stopped: BatchRow): Promise<BatchRow> {
  let batch = stopped;
  for (
    let waited = 0;
    batch.reserved > 0 && waited < patienceMilliseconds;
    waited += pollMilliseconds
  ) {
    await wait(pollMilliseconds);
    batch = (await findBatchById(ctx.db, stopped.id)) ?? batch;
  }
  return batch;
}
