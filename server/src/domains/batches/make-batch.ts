import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import type { BatchPlan } from './plan-batch.ts';
import { type BatchRow, insertBatch } from './store/batches.ts';

/** Writes a plan down as a batch that is ready and has not begun. */
export async function makeBatch(
  ctx: Context,
  { actor, subjectId }: Acting,
  plan: BatchPlan,
): Promise<BatchRow> {
  const now = ctx.clock.now();
  const { sheet, question, variables, options, model, price, fingerprint, rows, selection } = plan;
  return insertBatch(ctx.db, {
    id: newId(now),
    user_id: subjectId,
    actor_id: actor.id,
    sheet_id: sheet.id,
    name: sheet.name,
    state: 'ready',
    pause_reason: null,
    pause_detail: null,
    question,
    variables: JSON.stringify(variables),
    options: JSON.stringify(options),
    model,
    price,
    selection: selection && JSON.stringify(selection),
    fingerprint,
    start_key: null,
    rows,
    created_at: now,
  });
}
