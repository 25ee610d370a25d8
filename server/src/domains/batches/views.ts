import type { Batch, getBatch, getProcessedFiles, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { getColumns } from '../files/store.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { presentBatch } from './rules.ts';
import { type BatchRow, findBatch, listBatches } from './store/batches.ts';

export async function showBatch(
  ctx: Context,
  { subjectId }: ActingFor,
  { id }: ParsedRequestOf<typeof getBatch>,
) {
  const batch = await findBatch(ctx.db, { id, userId: subjectId });
  if (!batch) refuse('not_found');
  return { batch: await describeBatch(ctx, batch) };
}

/** A batch as people see it: with its columns, its pace, and who acted where that was not the person himself. */
export async function describeBatch(ctx: Context, row: BatchRow): Promise<Batch> {
  const columns = await getColumns(ctx.db, row.sheet_id);
  return presentBatch(row, {
    columns,
    startedBy: await nameOfActor(ctx, row),
    now: ctx.clock.now(),
  });
}

async function nameOfActor(ctx: Context, row: BatchRow): Promise<string | null> {
  if (row.actor_id === row.user_id) return null;
  const { user } = await getPerson(ctx, row.actor_id);
  return `${user.first_name} ${user.last_name}`;
}

export async function listOwnBatches(
  ctx: Context,
  { subjectId }: ActingFor,
  request: ParsedRequestOf<typeof getProcessedFiles>,
) {
  const { start, limit, search, state } = request;
  const rows = await listBatches(ctx.db, { userId: subjectId, start, limit, search, state });
  const files = [];
  for (const row of rows) files.push(await describeBatch(ctx, row));
  return { files, total: rows[0]?.total ?? 0 };
}
