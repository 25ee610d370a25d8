import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { newId } from '../../../lib/ids.ts';
import type { BatchPlan } from '../quote/plan.ts';
import { type BatchRow, findReadyBatch, insertBatch } from '../store/batches.ts';
import { listResultRows } from '../store/results.ts';

/** Writes a plan down as a batch that is ready and has not begun. */
export async function makeBatch(
  ctx: Context,
  { actor, subjectId }: ActingFor,
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

/**
 * The batch that a preview of the same question has made ready, when everything it has answered is wanted. Otherwise the
 * answers of the preview would stand in a file that did not ask for them.
 */
export async function findReady(
  ctx: Context,
  userId: string,
  plan: BatchPlan,
): Promise<BatchRow | undefined> {
  const batch = await findReadyBatch(ctx.db, { userId, fingerprint: plan.fingerprint });
  if (!batch) return undefined;
  const rows = await listResultRows(ctx.db, batch.id);
  const wanted = plan.selection ? new Set(plan.selection) : null;
  return rows.every((row) => (wanted ? wanted.has(row) : row < plan.rows)) ? batch : undefined;
}
