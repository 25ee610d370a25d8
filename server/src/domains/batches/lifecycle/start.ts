import { mostFor } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { leastBytes } from '../../../lib/stored-bounds.ts';
import { lockPlannedSheet } from '../../files/sheets.ts';
import { refuseOverQuota } from '../../files/storage.ts';
import { lockStorage } from '../../files/store.ts';
import { refuseAboveAgreed } from '../../prompts/price.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { estimateBatch } from '../quote/estimate-run.ts';
import type { BatchPlan, BatchQuery } from '../quote/plan.ts';
import { listPreviewed, measureRows, measuresOf } from '../quote/quote.ts';
import { newRateWindow } from '../rate-window.ts';
import { queueSlices } from '../slices/queue.ts';
import {
  type BatchRow,
  doneRows,
  findBatchByStartKey,
  isComplete,
  updateBatch,
} from '../store/batches.ts';
import { listResultRows } from '../store/results.ts';
import { refuseUnusable } from '../unusable-rows.ts';
import { reportAction } from './actions.ts';
import { findOrCreateBatch, findPreviewed, recordPrompt } from './create.ts';
import { finishBatch } from './finish.ts';
import { nameAgain } from './name-again.ts';
import { reserveCredits } from './reserve-credits.ts';

/** Rows with an answer of a preview. */
async function listTried(ctx: Context, { subjectId }: ActingFor, plan: BatchPlan) {
  const previewed = await findPreviewed(ctx, subjectId, plan);
  return new Set(previewed && (await listResultRows(ctx.db, previewed.id)));
}

/** Reserves all that the batch needs and starts it: once per idempotency key, despite crashes. */
export async function startBatch(
  ctx: Context,
  acting: ActingFor,
  plan: BatchPlan,
  query: BatchQuery,
): Promise<BatchRow> {
  await consumeRateLimit(ctx, rateLimits.startPerPerson, acting.subjectId);
  const tried = await listTried(ctx, acting, plan);
  const measures = measuresOf(ctx, plan) ?? (await measureRows(ctx, plan, { tried }));
  const { blank, too_long: tooLong, unsent_at_end, longest } = measures;
  const most = mostFor(plan.price, { promptLength: longest, options: plan.options });
  return inTransaction(ctx, async (ctx) => {
    const userId = acting.subjectId;
    await lockPlannedSheet(ctx, plan.sheet);
    const startKey = ctx.workKey ?? null;
    const started = startKey && (await findBatchByStartKey(ctx.db, { userId, startKey }));
    if (started) return started;
    await refuseUnusable(ctx, userId, plan.options.outputs);
    await lockStorage(ctx.db, userId);
    await refuseOverQuota(ctx, userId, plan.rows * leastBytes.row);
    const ready = await findOrCreateBatch(ctx, acting, { ...plan, most });
    const unsent = doneRows(ready) + blank + tooLong;
    const openRows = Math.max(0, plan.rows - unsent);
    const needed = openRows * ready.price;
    refuseAboveAgreed(needed, query);
    const results = await listPreviewed(ctx, ready);
    const estimate = estimateBatch(ctx, { plan, preview: ready }, { results, openRows, needed });
    const reserved = await reserveCredits(ctx, ready, {
      needed,
      isPartial: query.partial === true,
    });
    const name =
      query.again && (await nameAgain(ctx, { ...query.again, userId, sheetId: plan.sheet.id }));
    const now = ctx.clock.now();
    const batch = await updateBatch(ctx.db, ready.id, {
      ...(name && { name }),
      state: 'running',
      finish_by: plan.finishBy,
      rows: plan.rows,
      selected_rows: plan.selection?.packed ?? null,
      is_partial: reserved < needed,
      // The tried batch may have been deleted meanwhile.
      free_rows_at_end: ready.answered < tried.size ? 0 : unsent_at_end,
      open_free_rows: blank + tooLong,
      estimate: estimate && JSON.stringify(estimate),
      start_key: startKey,
      started_at: now,
      ...newRateWindow(now, doneRows(ready)),
    });
    await recordPrompt(ctx, batch, plan.sheet.name);
    await reportAction(ctx, acting, batch, 'batch_started');
    // A preview may have answered every row.
    if (isComplete(batch)) return finishBatch(ctx, batch);
    await queueSlices(ctx, batch);
    return batch;
  });
}
