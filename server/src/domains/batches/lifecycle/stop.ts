import type { ParsedRequestOf, stopFileProcessing } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { type BatchRow, findBatchById, updateBatch } from '../store/batches.ts';
import { listQueuedSlices } from '../store/slices.ts';
import { describeBatch } from '../views.ts';
import { admitAction } from './actions.ts';
import { releaseHold } from './reserve-credits.ts';

/** Rows in flight usually end within this; whoever stops then sees the final receipt at once. */
const patienceMilliseconds = 800;
const lookMilliseconds = 20;

/**
 * Nothing new is sent from this moment. What is held returns at once, but for the rows that a worker may have in flight:
 * they are settled, or given up after a grace, and then the rest returns.
 */
export async function stopBatch(
  ctx: Context,
  acting: ActingFor,
  request: ParsedRequestOf<typeof stopFileProcessing>,
) {
  const stopped = await stopAtOnce(ctx, acting, request);
  return { batch: await describeBatch(ctx, await whenSettled(ctx, stopped)) };
}

/** The same without the wait for what is in flight. */
export async function stopAtOnce(
  ctx: Context,
  acting: ActingFor,
  { id }: { id: string },
): Promise<BatchRow> {
  return inTransaction(ctx, async (inside) => {
    const { batch, isThere } = await admitAction(inside, acting, { id, action: 'stop' });
    return isThere ? batch : stop(inside, acting, batch);
  });
}

async function stop(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  batch: BatchRow,
): Promise<BatchRow> {
  const inHand = (await listQueuedSlices(ctx.db, batch.id)).reduce(
    (sum, { count }) => sum + count,
    0,
  );
  await releaseHold(ctx, batch, inHand * batch.price);
  const stopped = await updateBatch(ctx.db, batch.id, {
    state: 'stopped',
    pause_reason: null,
    pause_detail: null,
    ended_at: ctx.clock.now(),
  });
  await writeAuditEntry(ctx, {
    actorId: actor.id,
    subjectId,
    act: 'batch_stopped',
    detail: { batch: batch.id },
  });
  await ctx.publish(ctx.db, { user_id: subjectId, batch_id: batch.id, state: 'stopped' });
  record(ctx, 'batch_stopped', { user_id: subjectId, actor_id: actor.id, batch: batch.id });
  return stopped;
}

async function whenSettled(ctx: Context, stopped: BatchRow): Promise<BatchRow> {
  let batch = stopped;
  for (
    let waited = 0;
    batch.reserved > 0 && waited < patienceMilliseconds;
    waited += lookMilliseconds
  ) {
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
    batch = (await findBatchById(ctx.db, stopped.id)) ?? batch;
  }
  return batch;
}
