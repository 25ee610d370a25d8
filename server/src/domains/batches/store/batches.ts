import type { BatchOrder, BatchState, PauseReason } from '@rowmill/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { BatchTable } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';
import { containing, searched } from '../../../lib/search.ts';

export type BatchRow = Selectable<BatchTable>;

interface Owned {
  id: string;
  userId: string;
}

export async function insertBatch(db: Db, batch: Insertable<BatchTable>): Promise<BatchRow> {
  return db.insertInto('batches').values(batch).returningAll().executeTakeFirstOrThrow();
}

/** The statement checks the owner, so a batch of another person looks like a missing one. */
export async function findBatch(db: Db, { id, userId }: Owned): Promise<BatchRow | undefined> {
  return own(db, userId).where('id', '=', id).executeTakeFirst();
}

/**
 * Held while the state of a batch changes. All locks are `for no key update`: the stronger `for update` also waits for
 * inserts that only reference the record, and then transactions can deadlock.
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
  sort: BatchOrder;
}

/** Each of the first three follows an index, in either direction. */
const orders = {
  newest: sql`created_at desc, id desc`,
  oldest: sql`created_at, id`,
  name: sql`lower(name), created_at desc, id desc`,
  failed: sql`failed desc, created_at desc`,
  charged: sql`charged desc, created_at desc`,
} as const satisfies Record<BatchOrder, unknown>;

/** Chooses the page by ids first: whole batches are long, and all before the page would be read. */
export async function listBatches(db: Db, listing: Listing) {
  const { userId, start, limit, search, state, sort } = listing;
  const page = db
    .selectFrom('batches')
    .select('id')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where(matching({ userId, search }))
    .$if(state !== undefined, (query) => query.where('state', '=', state as BatchState))
    .orderBy(orders[sort])
    .offset(start)
    .limit(limit);
  return own(db, userId).where('id', 'in', page).orderBy(orders[sort]).execute();
}

/** How many batches a search finds in each state. */
export async function countBatches(db: Db, { userId, search }: Pick<Listing, 'userId' | 'search'>) {
  return db
    .selectFrom('batches')
    .select(['state', sql<number>`count(*)`.as('count')])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where(matching({ userId, search }))
    .groupBy('state')
    .execute();
}

/** Searches the names of the newest batches, and the prompts of fewer. */
function matching({ userId, search }: Pick<Listing, 'userId' | 'search'>) {
  if (search === '') return sql<boolean>`true`;
  const pattern = containing(search);
  const newest = (count: number) =>
    sql`select id, name, question from batches where user_id = ${userId} order by created_at desc limit ${count}`;
  return sql<boolean>`id in (
    select id from (${newest(searched.newest)}) as named where name ilike ${pattern}
    union all
    select id from (${newest(searched.prompts)}) as asked where left(question, ${searched.characters}) ilike ${pattern}
  )`;
}

/** Of all batches of a person, deleted ones too. */
export async function countRows(db: Db, userId: string) {
  return db
    .selectFrom('batches')
    .select([
      sql<number>`coalesce(sum(answered), 0)::bigint`.as('answered'),
      sql<number>`coalesce(sum(failed), 0)::bigint`.as('failed'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function listBatchesIn(db: Db, states: readonly BatchState[]): Promise<BatchRow[]> {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('state', 'in', states)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Whether the customer has this many running batches that are older. */
export async function hasEarlierRunning(
  db: Db,
  { id, user_id: userId }: Pick<BatchRow, 'id' | 'user_id'>,
  times: number,
): Promise<boolean> {
  const earlier = db
    .selectFrom('batches')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'running')
    .where('id', '<', id);
  const found = await earlier
    .offset(times - 1)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function isAnyPausedFor(db: Db, reason: PauseReason): Promise<boolean> {
  const paused = db.selectFrom('batches').select('id').where('state', '=', 'paused');
  const found = await paused
    .where('pause_reason', '=', reason)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Writes and takes back some data, so that a full disk shows its error. */
export async function probeStorage(db: Db, filler: string): Promise<void> {
  await db.insertInto('storage_probes').values({ filler }).execute();
  await db.deleteFrom('storage_probes').execute();
}

/** What an ended process may have left: running batches, and stopped ones that still have a reservation. */
export async function listBatchesToRecover(db: Db): Promise<BatchRow[]> {
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

/** Batches with the reservation of a preview that started before then; see `rate_window_start` in preview.ts. */
export async function listReservedReady(db: Db, askedBefore: Date) {
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

function own(db: Db, userId: string) {
  return db
    .selectFrom('batches')
    .selectAll('batches')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null);
}

/** `total_reserved` only grows: what is neither reserved nor charged has been returned. */
export async function addToReservation(db: Db, id: string, amount: number): Promise<void> {
  await db
    .updateTable('batches')
    .set((eb) => ({
      reserved: eb('reserved', '+', amount),
      total_reserved: eb('total_reserved', '+', Math.max(0, amount)),
    }))
    .where('id', '=', id)
    .execute();
}
