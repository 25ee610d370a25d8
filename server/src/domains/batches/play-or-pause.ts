import type { ParsedRequestOf, playOrPause } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { admitAction } from './admit-action.ts';
import { finishBatch, isDone } from './finish-batch.ts';
import { holdFor } from './hold-for.ts';
import { queueSlices } from './queue-slices.ts';
import { describeBatch } from './show-batch.ts';
import { type BatchRow, updateBatch } from './store/batches.ts';

/** A target, not a toggle: what is so already stays so, and two tabs cannot undo each other by accident. */
export async function playOrPauseBatch(
  ctx: Context,
  acting: Acting,
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
  { actor, subjectId }: Acting,
  before: BatchRow,
): Promise<BatchRow> {
  await holdFor(ctx, before, { needed: neededFor(before), isPartial: before.is_partial });
  const now = ctx.clock.now();
  const batch = await updateBatch(ctx.db, before.id, {
    state: 'running',
    pause_reason: null,
    pause_detail: null,
    told_reason: null,
    started_at: before.started_at ?? now,
    mark_at: now,
    mark_rows: before.answered + before.failed,
    older_at: null,
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
    batch.pause_reason === 'needs_credits' || (batch.is_partial && batch.held < batch.price);
  if (batch.state !== 'ready' && !isUsedUp) return 0;
  return (batch.rows - batch.answered - batch.failed) * batch.price - batch.held;
}

async function pause(
  ctx: Context,
  { actor, subjectId }: Acting,
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
