import type { BatchState } from '@rowmill/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { BatchTable } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';

export type BatchRow = Selectable<BatchTable>;

interface Owned {
  id: string;
  userId: string;
}

export async function insertBatch(db: Db, batch: Insertable<BatchTable>): Promise<BatchRow> {
  return db.insertInto('batches').values(batch).returningAll().executeTakeFirstOrThrow();
}

/** Whose it is, is asked in the statement itself: foreign and absent are the same. */
export async function findBatch(db: Db, { id, userId }: Owned): Promise<BatchRow | undefined> {
  return own(db, userId).where('id', '=', id).executeTakeFirst();
}

/**
 * Whoever changes the state of a batch holds its record meanwhile. Records are locked `for no key update` everywhere: the
 * stronger `for update` also waits for those who only refer to a record, and then two wait for each other.
 */
export async function lockOwnBatch(db: Db, { id, userId }: Owned): Promise<BatchRow | undefined> {
  return own(db, userId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function lockBatch(db: Db, id: string): Promise<BatchRow | undefined> {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function findBatchById(db: Db, id: string): Promise<BatchRow | undefined> {
  return db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findReadyBatch(
  db: Db,
  { userId, fingerprint }: { userId: string; fingerprint: string },
) {
  return own(db, userId)
    .where('fingerprint', '=', fingerprint)
    .where('state', '=', 'ready')
    .orderBy('created_at', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function findBatchByStartKey(
  db: Db,
  { userId, startKey }: { userId: string; startKey: string },
) {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('user_id', '=', userId)
    .where('start_key', '=', startKey)
    .executeTakeFirst();
}

export async function updateBatch(
  db: Db,
  id: string,
  changes: Updateable<BatchTable>,
): Promise<BatchRow> {
  return db
    .updateTable('batches')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

interface Listing {
  userId: string;
  start: number;
  limit: number;
  search: string;
  state?: BatchState | undefined;
}

export async function listBatches(db: Db, { userId, start, limit, search, state }: Listing) {
  return own(db, userId)
    .select(sql<number>`count(*) over ()`.as('total'))
    .$if(search !== '', (query) =>
      query.where(
        sql`(name || ' ' || question)`,
        'ilike',
        `%${search.replace(/[\\%_]/g, (character) => `\\${character}`)}%`,
      ),
    )
    .$if(state !== undefined, (query) => query.where('state', '=', state as BatchState))
    .orderBy('created_at', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

export async function listBatchesIn(db: Db, states: readonly BatchState[]): Promise<BatchRow[]> {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('state', 'in', states)
    .where('deleted_at', 'is', null)
    .execute();
}

/** What a dead process may have left: batches that run, and holds of batches that were stopped. */
export async function listBatchesToRescue(db: Db): Promise<BatchRow[]> {
  return db
    .selectFrom('batches')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('state', '=', 'running'),
        eb.and([eb('state', '=', 'stopped'), eb('reserved', '>', 0)]),
      ]),
    )
    .execute();
}

/** Previews mark when they were asked: what an older one holds nobody waits for any more. */
export async function listHeldReady(db: Db, askedBefore: Date) {
  return db
    .selectFrom('batches')
    .select('id')
    .where('state', '=', 'ready')
    .where('reserved', '>', 0)
    .where('rate_window_start', '<', askedBefore)
    .execute();
}

export async function lockBatchesOf(db: Db, userId: string): Promise<BatchRow[]> {
  return own(db, userId).orderBy('id').forNoKeyUpdate().execute();
}

export async function listBatchesOf(db: Db, userId: string): Promise<BatchRow[]> {
  return own(db, userId).execute();
}

function own(db: Db, userId: string) {
  return db
    .selectFrom('batches')
    .selectAll('batches')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null);
}

/** `total_reserved` only grows: what is neither reserved nor charged has been returned. */
export async function addToHold(db: Db, id: string, amount: number): Promise<void> {
  await db
    .updateTable('batches')
    .set((eb) => ({
      reserved: eb('reserved', '+', amount),
      total_reserved: eb('total_reserved', '+', Math.max(0, amount)),
    }))
    .where('id', '=', id)
    .execute();
}
