import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { trialsAtMost } from '../rules.ts';

export interface Slice {
  batchId: string;
  first: number;
}

export async function insertSlices(
  db: Db,
  batchId: string,
  slices: { first: number; count: number }[],
): Promise<void> {
  const rows = slices.map((slice) => ({ batch_id: batchId, ...slice, state: 'queued' as const }));
  await db.insertInto('slices').values(rows).execute();
}

export async function findSlice(db: Db, { batchId, first }: Slice) {
  return db
    .selectFrom('slices')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('first', '=', first)
    .executeTakeFirst();
}

export async function queueIdleSlices(
  db: Db,
  batchId: string,
  firsts: readonly number[],
): Promise<void> {
  if (firsts.length === 0) return;
  await db
    .updateTable('slices')
    .set({ state: 'queued' })
    .where('batch_id', '=', batchId)
    .where('first', 'in', firsts)
    .where('state', '=', 'idle')
    .execute();
}

export async function layDownSlice(
  db: Db,
  { batchId, first, state }: Slice & { state: 'idle' | 'done' },
): Promise<void> {
  await db
    .updateTable('slices')
    .set({ state, quarantined_rows: null })
    .where('batch_id', '=', batchId)
    .where('first', '=', first)
    .where('state', '<>', 'done')
    .execute();
}

export async function listQueuedSlices(db: Db, batchId: string) {
  return db
    .selectFrom('slices')
    .select(['first', 'count'])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'queued')
    .execute();
}

export async function listIdleSlices(db: Db, batchId: string, limit: number) {
  return db
    .selectFrom('slices')
    .select(['first', 'count'])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'idle')
    .orderBy('first')
    .limit(limit)
    .execute();
}

export async function deleteSlices(db: Db, batchId: string): Promise<void> {
  await db.deleteFrom('slices').where('batch_id', '=', batchId).execute();
}

/**
 * Slices that hold a failed row wait for their turn again. Only where a slice counts the rows of the sheet themselves. Of a
 * row that has failed for the crashes in its trials, one more decides.
 */
export async function reviveFailedSlices(db: Db, batchId: string): Promise<void> {
  await sql`
    update slices set state = 'idle', row_crash_counts = (
      select coalesce(jsonb_object_agg(name, least(times::integer, ${trialsAtMost - 1}::integer)), '{}')
      from jsonb_each_text(row_crash_counts) as each (name, times))
    where batch_id = ${batchId} and exists (
      select from results where results.batch_id = slices.batch_id and results.state = 'failed'
        and results.row >= slices.first and results.row < slices.first + slices.count)`.execute(db);
}

export async function layAsideQueuedSlices(db: Db): Promise<void> {
  await db.updateTable('slices').set({ state: 'idle' }).where('state', '=', 'queued').execute();
}

/** These were in the hands of a process that has died. The rows that were on trial are accused once more. */
export async function countCrash(db: Db, slices: readonly Slice[]): Promise<void> {
  const leased = JSON.stringify(slices.map(({ batchId, first }) => ({ batch_id: batchId, first })));
  await sql`
    update slices set crash_count = crash_count + 1, quarantined_rows = null, row_crash_counts = row_crash_counts || (
      select coalesce(jsonb_object_agg(name, coalesce((row_crash_counts ->> name)::integer, 0) + 1), '{}')
      from jsonb_array_elements_text(coalesce(quarantined_rows, '[]')) as name)
    from jsonb_to_recordset(${leased}::text::jsonb) as leased (batch_id text, first integer)
    where slices.batch_id = leased.batch_id and slices.first = leased.first`.execute(db);
}

export async function saveTrial(
  db: Db,
  { batchId, first, rows }: Slice & { rows: readonly number[] },
): Promise<void> {
  await db
    .updateTable('slices')
    .set({ quarantined_rows: JSON.stringify(rows) })
    .where('batch_id', '=', batchId)
    .where('first', '=', first)
    .execute();
}
