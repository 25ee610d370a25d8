import type { ParsedRequestOf, playOrPause } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { queueSlices } from '../slices/queue.ts';
import { type BatchRow, updateBatch } from '../store/batches.ts';
import { describeBatch } from '../views.ts';
import { admitAction } from './actions.ts';
import { finishBatch, isDone } from './finish.ts';
import { holdFor } from './reserve-credits.ts';

/** A target, not a toggle: what is so already stays so, and two tabs cannot undo each other by accident. */
export async function playOrPauseBatch(
  ctx: Context,
  acting: ActingFor,
  { id, status }: ParsedRequestOf<typeof playOrPause>,
) {
  const batch = await inTransaction(ctx, async (inside) => {
    const { batch, isThere } = await admitAction(inside, acting, { id, action: status });
    if (isThere) return batch;
    return status === 'play' ? play(inside, acting, batch) : pause(inside, acting, batch);
  });
  return { batch: await describeBatch(ctx, batch) };
}

async function play(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  before: BatchRow,
): Promise<BatchRow> {
  await holdFor(ctx, before, { needed: neededFor(before), isPartial: before.is_partial });
  const now = ctx.clock.now();
  const batch = await updateBatch(ctx.db, before.id, {
    state: 'running',
    pause_reason: null,
    pause_detail: null,
    notified_pause_reason: null,
    started_at: before.started_at ?? now,
    rate_window_start: now,
    rate_window_rows: before.answered + before.failed,
    previous_window_start: null,
  });
  await writeAuditEntry(ctx, {
    actorId: actor.id,
    subjectId,
    act: 'batch_played',
    detail: { batch: batch.id },
  });
  await ctx.publish(ctx.db, { user_id: subjectId, batch_id: batch.id, state: 'running' });
  record(ctx, 'batch_played', { user_id: subjectId, actor_id: actor.id, batch: batch.id });
  // A preview has answered everything already.
  if (isDone(batch)) return finishBatch(ctx, batch);
  await queueSlices(ctx, batch.id);
  return batch;
}

/** A batch that was begun with too little may have used it up while somebody had paused it. */
function neededFor(batch: BatchRow): number {
  const isUsedUp =
    batch.pause_reason === 'needs_credits' || (batch.is_partial && batch.reserved < batch.price);
  if (batch.state !== 'ready' && !isUsedUp) return 0;
  return (batch.rows - batch.answered - batch.failed) * batch.price - batch.reserved;
}

async function pause(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  before: BatchRow,
): Promise<BatchRow> {
  const batch = await updateBatch(ctx.db, before.id, {
    state: 'paused',
    pause_reason: 'person',
    pause_detail: null,
  });
  await writeAuditEntry(ctx, {
    actorId: actor.id,
    subjectId,
    act: 'batch_paused',
    detail: { batch: batch.id },
  });
  await ctx.publish(ctx.db, { user_id: subjectId, batch_id: batch.id, state: 'paused' });
  record(ctx, 'batch_paused', {
    user_id: subjectId,
    actor_id: actor.id,
    batch: batch.id,
    reason: 'person',
  });
  return batch;
}
