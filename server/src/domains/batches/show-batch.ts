import type { Batch, getBatch, ParsedRequestOf } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { getColumns } from '../files/store.ts';
import { getPerson } from '../identity/get-person.ts';
import { presentBatch } from './rules.ts';
import { type BatchRow, findBatch } from './store/batches.ts';

export async function showBatch(
  ctx: Context,
  { subjectId }: Acting,
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
