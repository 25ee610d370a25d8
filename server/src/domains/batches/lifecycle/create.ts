import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { newId } from '../../../lib/ids.ts';
import { insertPrompt } from '../../prompts/store.ts';
import type { BatchPlan } from '../quote/plan.ts';
import { type BatchRow, findReadyBatch, insertBatch, updateBatch } from '../store/batches.ts';
import { listResultRows } from '../store/results.ts';
import { reserveCredits } from './reserve-credits.ts';

/** `most`: the highest price that a row can have. */
export type PricedPlan = BatchPlan & { most: number };

/** The batch of a preview of the same plan, otherwise a new one. Needs a transaction. */
export async function findOrCreateBatch(
  ctx: Context,
  acting: ActingFor,
  plan: PricedPlan,
): Promise<BatchRow> {
  const previewed = await findPreviewed(ctx, acting.subjectId, plan);
  if (!previewed) return createBatch(ctx, acting, plan);
  return previewed.price < plan.most ? raisePrice(ctx, previewed, plan.most) : previewed;
}

/** With a price by size these rows may be longer. A preview at the earlier price may still run. */
async function raisePrice(ctx: Context, batch: BatchRow, most: number): Promise<BatchRow> {
  const rows = batch.price > 0 ? Math.ceil(batch.reserved / batch.price) : 0;
  await reserveCredits(ctx, batch, { needed: rows * (most - batch.price), isPartial: false });
  return updateBatch(ctx.db, batch.id, { price: most });
}

/** Only if the plan includes every previewed row: the result file has no other answers. */
export async function findPreviewed(
  ctx: Context,
  userId: string,
  plan: BatchPlan,
): Promise<BatchRow | undefined> {
  const { batch, leftOut } = await findTried(ctx, userId, plan);
  return leftOut.length === 0 ? batch : undefined;
}

/** The batch of the newest preview with the plan's prompts, and its answered rows. */
export async function findTried(ctx: Context, userId: string, plan: BatchPlan) {
  const batch = await findReadyBatch(ctx.db, { userId, ...plan });
  const rows = batch ? await listResultRows(ctx.db, batch.id) : [];
  const isPlanned = (row: number) => plan.selection?.has(row) ?? row < plan.rows;
  const [planned, leftOut] = [rows.filter(isPlanned), rows.filter((row) => !isPlanned(row))];
  return { batch, planned, leftOut };
}

/** Adds the prompt of a batch that starts now to those of its owner. */
export async function recordPrompt(
  ctx: Context,
  batch: BatchRow,
  sheetName: string,
): Promise<void> {
  const now = batch.started_at ?? ctx.clock.now();
  await insertPrompt(ctx.db, {
    id: newId(now),
    user_id: batch.user_id,
    actor_id: batch.actor_id,
    template: batch.question,
    batch_id: batch.id,
    sheet_name: sheetName,
    rows: batch.rows,
    state: 'answered',
    asked_at: now,
  });
}

export async function createBatch(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  plan: PricedPlan,
): Promise<BatchRow> {
  const { submissions, size } = plan.price;
  const now = ctx.clock.now();
  return insertBatch(ctx.db, {
    id: newId(now),
    user_id: subjectId,
    actor_id: actor.id,
    sheet_id: plan.sheet.id,
    name: plan.sheet.name,
    state: 'ready',
    question: plan.question,
    variables: JSON.stringify(plan.variables),
    options: JSON.stringify(plan.options),
    model: plan.model,
    is_model_set_up: ctx.models.find(plan.model) !== undefined,
    price: plan.most,
    price_tokens: size?.tokens ?? null,
    unit_price: size && submissions,
    finish_by: plan.finishBy,
    selected_rows: plan.selection?.packed ?? null,
    fingerprint: plan.fingerprint,
    rows: plan.rows,
    created_at: now,
  });
}
