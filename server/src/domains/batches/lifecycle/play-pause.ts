import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { leastBytes } from '../../../lib/stored-bounds.ts';
import * as texts from '../../../texts/batches.ts';
import { refuseOverQuota } from '../../files/storage.ts';
import { getSheet } from '../../files/store.ts';
import { measureBatch } from '../quote/quote.ts';
import { newRateWindow } from '../rate-window.ts';
import { queueSlices } from '../slices/queue.ts';
import {
  type BatchRow,
  doneRows,
  findBatch,
  isComplete,
  isUsedUp,
  openRows,
  submissionsNeeded,
  updateBatch,
} from '../store/batches.ts';
import { refuseUnusable } from '../unusable-rows.ts';
import { describeBatch } from '../views.ts';
import { lockForAction, reportAction } from './actions.ts';
import { recordPrompt } from './create.ts';
import { laterDeadline } from './deadline.ts';
import { finishBatch } from './finish.ts';
import { reserveCredits } from './reserve-credits.ts';

/** Sets a target state rather than toggling, so that two tabs cannot undo each other. */
export const playOrPauseBatch: Handler<'playOrPause'> = async (ctx, acting, { id, status }) => {
  const tried = status === 'play' ? await measureTried(ctx, acting, id) : {};
  const batch = await inTransaction(ctx, async (ctx) => {
    const { batch, isDone } = await lockForAction(ctx, acting, { id, action: status });
    if (isDone) return batch;
    if (status === 'pause') return pause(ctx, acting, batch);
    return play(ctx, acting, batch.state === 'ready' ? { ...batch, ...tried } : batch);
  });
  const message = status === 'play' ? texts.playing(batch.state) : texts.paused;
  return { batch: await describeBatch(ctx, batch), message };
};

/** Counts the rows of a tried batch that cost nothing, as a start does. */
async function measureTried(ctx: Context, acting: ActingFor, id: string) {
  const batch = await findBatch(ctx.db, { id, userId: acting.subjectId });
  if (batch?.state !== 'ready') return {};
  const { blank, too_long: tooLong, unsent_at_end } = await measureBatch(ctx, acting, batch);
  return { open_free_rows: blank + tooLong, free_rows_at_end: unsent_at_end };
}

async function play(ctx: Context, acting: ActingFor, before: BatchRow): Promise<BatchRow> {
  await refuseUnusable(ctx, before.user_id, before.options.outputs);
  // After a preview, only the rows that it tried count towards the storage.
  if (before.state === 'ready')
    await refuseOverQuota(ctx, before.user_id, openRows(before) * leastBytes.row);
  await reserveCredits(ctx, before, {
    needed: before.state === 'ready' || isUsedUp(before) ? submissionsNeeded(before) : 0,
    isPartial: before.is_partial,
  });
  const now = ctx.clock.now();
  const batch = await updateBatch(ctx.db, before.id, {
    state: 'running',
    pause_reason: null,
    pause_detail: null,
    notified_pause_reason: null,
    started_at: before.started_at ?? now,
    finish_by: laterDeadline(before, now),
    open_free_rows: before.open_free_rows,
    free_rows_at_end: before.free_rows_at_end,
    ...newRateWindow(now, doneRows(before)),
  });
  if (!before.started_at)
    await recordPrompt(ctx, batch, (await getSheet(ctx.db, batch.sheet_id)).name);
  await reportAction(ctx, acting, batch, 'batch_played');
  // A preview may have answered every row.
  if (isComplete(batch)) return finishBatch(ctx, batch);
  await queueSlices(ctx, batch);
  return batch;
}

async function pause(ctx: Context, acting: ActingFor, before: BatchRow): Promise<BatchRow> {
  const batch = await updateBatch(ctx.db, before.id, {
    state: 'paused',
    pause_reason: 'person',
    pause_detail: null,
    paused_at: ctx.clock.now(),
    resume_at: null,
  });
  await reportAction(ctx, acting, batch, 'batch_paused');
  return batch;
}
