import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

export interface Slice {
  batchId: string;
  first: number;
}

export async function insertSlices(db: Db, batchId: string, slices: { first: number; count: number }[]): Promise<void> {
  const rows = slices.map((slice) => ({ batch_id: batchId, ...slice, state: 'queued' as const }));
  await db.insertInto('slices').values(rows).execute();
}

export async function findSlice(db: Db, { batchId, first }: Slice) {
  return db.selectFrom('slices').selectAll().where('batch_id', '=', batchId).where('first', '=', first).executeTakeFirst();
}

export async function queueIdleSlices(db: Db, batchId: string, firsts: readonly number[]): Promise<void> {
  if (firsts.length === 0) return;
  await db
    .updateTable('slices')
    .set({ state: 'queued' })
    .where('batch_id', '=', batchId)
    .where('first', 'in', firsts)
    .where('state', '=', 'idle')
    .execute();
}

export async function layDownSlice(db: Db, { batchId, first, state }: Slice & { state: 'idle' | 'done' }): Promise<void> {
  await db
    .updateTable('slices')
    .set({ state })
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

/** Slices that hold a failed row wait for their turn again. Only where a slice counts the rows of the sheet themselves. */
export async function reviveFailedSlices(db: Db, batchId: string): Promise<void> {
  await sql`
    update slices set state = 'idle'
    where batch_id = ${batchId} and exists (
      select from results where results.batch_id = slices.batch_id and results.state = 'failed'
        and results.row >= slices.first and results.row < slices.first + slices.count)`.execute(db);
}

export async function layAsideQueuedSlices(db: Db): Promise<void> {
  await db.updateTable('slices').set({ state: 'idle' }).where('state', '=', 'queued').execute();
}
