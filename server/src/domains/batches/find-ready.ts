import type { Context } from '../../context.ts';
import type { BatchPlan } from './plan-batch.ts';
import { type BatchRow, findReadyBatch } from './store/batches.ts';
import { listResultRows } from './store/results.ts';

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
