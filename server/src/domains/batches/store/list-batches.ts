import { type BatchOrder, type BatchState, batchStates, countLimit } from '@rowmill/contract';
import { type RawBuilder, sql } from 'kysely';
import { contains, folded } from '../../../db/lists.ts';
import type { Db } from '../../../db/transaction.ts';
import { searched } from '../../../lib/search.ts';
import { ownBatches } from './batches.ts';

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

/** What a search finds. Indexes have all of it but the counts of failed and charged rows, so batches are read only for those. */
const found = {
  newest: sql`id, state, name, created_at`,
  oldest: sql`id, state, name, created_at`,
  name: sql`id, state, name, created_at`,
  failed: sql`id, state, name, created_at, failed`,
  charged: sql`id, state, name, created_at, charged`,
} as const satisfies Record<BatchOrder, unknown>;

/**
 * A page of batches, and how many a search finds in each state. Chooses the page by ids first: whole batches are long, and
 * all before the page would be read. One id more than the page shows says that there is a next one.
 */
export async function listBatches(db: Db, listing: Listing) {
  const { userId, start, limit, search, state, sort } = listing;
  const most = countLimit({ start: 0, limit: 0 });
  const page = await sql<{ ids: string[]; counts: number[] }>`
    with found as ${search === '' ? sql`not materialized` : sql`materialized`} (${matching(listing)})
    select
      array(
        select id from found ${state ? sql`where state = ${state}` : sql``}
        order by ${orders[sort]} offset ${start} limit ${limit + 1}
      ) as ids,
      array(
        select (select count(*) from (select from found where state = each.state limit ${most}) as counted)::int4
        from unnest(${sql.val(batchStates)}::text[]) with ordinality as each (state, place) order by place
      ) as counts`.execute(db);
  const { ids = [], counts: counted = [] } = page.rows[0] ?? {};
  const counts = Object.fromEntries(
    batchStates.map((each, index) => [each, counted[index] ?? 0]),
  ) as Record<BatchState, number>;
  const all = state ? counts[state] : counted.reduce((sum, count) => sum + count, 0);
  const reached = ids.length === 0 ? 0 : start + ids.length;
  const total = Math.max(Math.min(all, most), reached);
  return { rows: await readInOrder(db, { userId, ids: ids.slice(0, limit) }), counts, total };
}

async function readInOrder(db: Db, { userId, ids }: { userId: string; ids: string[] }) {
  if (ids.length === 0) return [];
  const rows = await ownBatches(db, userId).where('id', 'in', ids).execute();
  const places = new Map(ids.map((id, place) => [id, place]));
  return rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

/** Searches the names of the newest batches, and the prompts of fewer. */
function matching({ userId, search, sort }: Listing) {
  const own = sql`from batches where user_id = ${userId} and deleted_at is null`;
  if (search === '') return sql`select ${found[sort]} ${own}`;
  const newest = (columns: RawBuilder<unknown>, count: number) =>
    sql`select ${columns} ${own} order by created_at desc, id desc limit ${count}`;
  return sql`
    select ${found[sort]} from (${newest(sql`${found[sort]}, ${folded(sql`name`)} as small`, searched.newest)}) as named
    where ${contains(sql`name`, search, sql`small`)}
    union
    select ${found[sort]} from (${newest(sql`${found[sort]}, question`, searched.prompts)}) as asked
    where ${contains(sql`question`, search)}`;
}
