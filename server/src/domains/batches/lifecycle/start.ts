import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { newId } from '../../../lib/ids.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { lockSheet } from '../../files/store.ts';
import { insertQuestion } from '../../prompts/store.ts';
import type { BatchPlan } from '../quote/plan.ts';
import { countBlank } from '../quote/quote.ts';
import { queueSlices } from '../slices/queue.ts';
import { type BatchRow, findBatchByStartKey, updateBatch } from '../store/batches.ts';
import { findReady, makeBatch } from './create.ts';
import { finishBatch, isDone } from './finish.ts';
import { holdFor } from './reserve-credits.ts';

/** Holds what the batch needs, all at once, and lets it run. With the same key it starts once, also across a crash. */
export async function startBatch(
  ctx: Context,
  acting: ActingFor,
  plan: BatchPlan,
  isPartial: boolean,
): Promise<BatchRow> {
  const blank = await countBlank(ctx, plan);
  return inTransaction(ctx, async (inside) => {
    const { actor, subjectId } = acting;
    if (!(await lockSheet(inside.db, plan.sheet.id))) refuse('not_found');
    const startKey = ctx.idempotencyKey ?? null;
    const before =
      startKey && (await findBatchByStartKey(inside.db, { userId: subjectId, startKey }));
    if (before) return before;
    const ready =
      (await findReady(inside, subjectId, plan)) ?? (await makeBatch(inside, acting, plan));
    const needed = Math.max(0, plan.rows - ready.answered - ready.failed - blank) * plan.price;
    const held = await holdFor(inside, ready, { needed, isPartial });
    const now = ctx.clock.now();
    const batch = await updateBatch(inside.db, ready.id, {
      state: 'running',
      rows: plan.rows,
      selection: plan.selection && JSON.stringify(plan.selection),
      is_partial: held < needed,
      start_key: startKey,
      started_at: now,
      rate_window_start: now,
      rate_window_rows: ready.answered + ready.failed,
      previous_window_start: null,
    });
    await insertQuestion(inside.db, questionOf(batch, plan, { id: newId(now), now }));
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId,
      act: 'batch_started',
      detail: { batch: batch.id },
    });
    await inside.publish(inside.db, { user_id: subjectId, batch_id: batch.id, state: 'running' });
    record(ctx, 'batch_started', {
      user_id: subjectId,
      actor_id: actor.id,
      batch: batch.id,
      rows: plan.rows,
    });
    // A preview has answered everything already.
    if (isDone(batch)) return finishBatch(inside, batch);
    await queueSlices(inside, batch.id);
    return batch;
  });
}

function questionOf(batch: BatchRow, plan: BatchPlan, { id, now }: { id: string; now: Date }) {
  return {
    id,
    user_id: batch.user_id,
    actor_id: batch.actor_id,
    template: plan.question,
    batch_id: batch.id,
    sheet_name: plan.sheet.name,
    rows: plan.rows,
    state: 'answered' as const,
    answer: null,
    problem: null,
    ask_key: null,
    asked_at: now,
  };
}
