import type { BatchOrder, BatchState } from '@rowmill/contract';
import { sql } from 'kysely';
import { contains, folded, nearerEnd, type SearchedPage } from '../../../db/lists.ts';
import type { Db } from '../../../db/transaction.ts';
import { searched } from '../../../lib/search.ts';
import { allCounts, type BatchCounts, readCounts } from './batch-counts.ts';
import { ownBatches } from './batches.ts';

interface Listing extends SearchedPage {
  userId: string;
  state?: BatchState;
  sort: BatchOrder;
}

/** Each of the first three follows an index, in either direction. */
const orders = {
  newest: ['created_at desc', 'id desc'],
  oldest: ['created_at', 'id'],
  name: ['lower(name)', 'created_at desc', 'id desc'],
  failed: ['failed desc', 'created_at desc', 'id desc'],
  charged: ['charged desc', 'created_at desc', 'id desc'],
} as const satisfies Record<BatchOrder, readonly string[]>;

const inOrder = (sort: BatchOrder) => sql.raw(orders[sort].join(', '));
const backwards = (sort: BatchOrder) =>
  sql.raw(orders[sort].map((by) => (by.endsWith(' desc') ? by.slice(0, -5) : `${by} desc`)).join());

/** The columns of a search. Only orders by failed and charged rows read more than an index. */
const foundColumns = {
  newest: sql`id, state, created_at`,
  oldest: sql`id, state, created_at`,
  name: sql`id, state, created_at, name`,
  failed: sql`id, state, created_at, failed`,
  charged: sql`id, state, created_at, charged`,
} as const satisfies Record<BatchOrder, unknown>;

/** By an index of those that run or are paused. */
const isAsked = sql`state in ('running', 'paused') and (state = 'running' or pause_reason = 'no_capacity')`;

/**
 * Of running batches, and those that wait for capacity and are due by then, by model: of each at
 * most this many rows without a result.
 */
export async function sumOpenRows(db: Db, most: number, due: Date) {
  const open = sql`least(rows - answered - failed - skipped, ${most})`;
  return db
    .selectFrom('batches')
    .select(['model', sql<number>`sum(${open})::double precision`.as('rows')])
    .where(sql<boolean>`${isAsked} and (state = 'running' or finish_by <= ${due})`)
    .groupBy('model')
    .execute();
}

/** The batches without capacity that have the next deadlines of their client and model. */
export async function listNextWaiting(db: Db, { most, userId }: { most: number; userId?: string }) {
  const ofUser = userId === undefined ? sql`` : sql`and user_id = ${userId}`;
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, state, row_number() over (partition by user_id, model order by finish_by, id) as place
      from batches where finish_by is not null and deleted_at is null ${ofUser}
        and ${isAsked}
    ) asked where place <= ${most} and state = 'paused'`.execute(db);
  return rows.map(({ id }) => id);
}

/** A page of batches, and how many there are, or a search finds, in each state. */
export async function listBatches(db: Db, listing: Listing) {
  return listing.search === '' ? listAll(db, listing) : searchBatches(db, listing);
}

/** A late page is read from the end. Pages are chosen by ids, because whole batches are long. */
async function listAll(db: Db, { userId, start, limit, state, sort }: Listing) {
  const counts = await readCounts(db, userId);
  const total = state ? counts[state] : sumOf(counts);
  const { size, isFromEnd, offset } = nearerEnd({ start, limit, total });
  const order = isFromEnd ? backwards(sort) : inOrder(sort);
  const isListed = state ? sql`and state = ${state}` : sql``;
  // An array is read once; a list of ids might be read again for each batch.
  const ids = sql<string>`any (array(
    select id from batches where user_id = ${userId} and deleted_at is null ${isListed}
    order by ${order} offset ${offset} limit ${size}))`;
  const rows = await ownBatches(db, userId).where('id', '=', ids).orderBy(inOrder(sort)).execute();
  return { rows, counts, total, searched: null };
}

async function searchBatches(db: Db, listing: Listing) {
  const { userId, start, limit, state, sort } = listing;
  const page = await sql<{ ids: string[]; counts: Partial<BatchCounts> | null }>`
    with found as materialized (${matching(listing)})
    select
      array(
        select id from found ${state ? sql`where state = ${state}` : sql``}
        order by ${inOrder(sort)} offset ${start} limit ${limit}
      ) as ids,
      (select json_object_agg(state, count) from (select state, count(*) from found group by state) as each) as counts`.execute(
    db,
  );
  const { ids = [], counts: found } = page.rows[0] ?? {};
  const counts = allCounts(found ?? {});
  const total = state ? counts[state] : sumOf(counts);
  const rows = await readInOrder(db, { userId, ids });
  return { rows, counts, total, searched: await describeBounds(db, userId) };
}

/** What a search has read of; null when that is all. */
async function describeBounds(db: Db, userId: string) {
  const { names, prompts } = searched;
  return sumOf(await readCounts(db, userId)) > prompts ? { names, prompts } : null;
}

function sumOf(counts: BatchCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function readInOrder(db: Db, { userId, ids }: { userId: string; ids: string[] }) {
  if (ids.length === 0) return [];
  const rows = await ownBatches(db, userId).where('id', 'in', ids).execute();
  const places = new Map(ids.map((id, place) => [id, place]));
  return rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

/**
 * Searches the names of the newest batches, and the prompts of fewer. Unused columns are not read,
 * so names come from an index: twice as fast as with all columns.
 */
function matching({ userId, search, sort }: Listing) {
  const newest = (count: number) => sql`
    select id, state, created_at, name, failed, charged, question, ${folded(sql`name`)} as small
    from batches where user_id = ${userId} and deleted_at is null
    order by created_at desc, id desc limit ${count}`;
  const columns = foundColumns[sort];
  return sql`
    select ${columns} from (${newest(searched.names)}) as named where ${contains(sql`name`, search, sql`small`)}
    union
    select ${columns} from (${newest(searched.prompts)}) as asked where ${contains(sql`question`, search)}`;
}
