import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

export interface Slice {
  batchId: string;
  first: number;
}

export async function insertSlice(db: Db, { batchId, first, count }: Slice & { count: number }): Promise<void> {
  await db.insertInto('slices').values({ batch_id: batchId, first, count, state: 'queued' }).execute();
}

export async function findSlice(db: Db, { batchId, first }: Slice) {
  return db.selectFrom('slices').selectAll().where('batch_id', '=', batchId).where('first', '=', first).executeTakeFirst();
}

export async function setSliceState(db: Db, { batchId, first, state }: Slice & { state: 'queued' | 'idle' | 'done' }) {
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
