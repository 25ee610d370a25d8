import type { ExpressionBuilder, Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import type { OrderLineTable, OrderTable } from '../../../db/billing-tables.ts';
import type { Schema } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';

export type OrderRow = Selectable<OrderTable>;
export type OrderLineRow = Selectable<OrderLineTable>;
export type NewOrder = Insertable<OrderTable>;

/** None when this key has made an order already. */
export async function insertOrder(db: Db, order: NewOrder): Promise<OrderRow | undefined> {
  return db
    .insertInto('orders')
    .values(order)
    .onConflict((conflict) => conflict.constraint('orders_order_key').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function insertOrderLines(db: Db, lines: readonly OrderLineRow[]): Promise<void> {
  await db.insertInto('order_lines').values(lines).execute();
}

export async function getOrderByKey(
  db: Db,
  { userId, orderKey }: { userId: string; orderKey: string },
): Promise<OrderRow> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('order_key', '=', orderKey)
    .executeTakeFirstOrThrow();
}

export async function findOrder(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function getOrder(db: Db, id: string): Promise<OrderRow> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function isOrder(db: Db, id: string): Promise<boolean> {
  return (
    (await db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst()) !==
    undefined
  );
}

/** Whoever settles an order has it for himself until his transaction ends. */
export async function lockOrder(db: Db, id: string): Promise<OrderRow> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateOrder(
  db: Db,
  id: string,
  changes: Updateable<OrderTable>,
): Promise<OrderRow> {
  return db
    .updateTable('orders')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function listOrderLines(db: Db, orderId: string): Promise<OrderLineRow[]> {
  return db
    .selectFrom('order_lines')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('position')
    .execute();
}

interface Listing {
  userId: string;
  start: number;
  limit: number;
  search: string;
}

export async function listOrders(db: Db, { userId, start, limit, search }: Listing) {
  return db
    .selectFrom('orders')
    .leftJoin('papers', (join) =>
      join.onRef('papers.order_id', '=', 'orders.id').on('papers.series', '=', 'INV'),
    )
    .selectAll('orders')
    .select(['papers.number', sql<number>`count(*) over ()`.as('total')])
    .where('orders.user_id', '=', userId)
    .$if(search !== '', (query) =>
      query.where(
        sql`(orders.description || ' ' || coalesce(papers.number, '') || ' ' || payment_status || ' ' || orders.id)`,
        'ilike',
        `%${search.replace(/[\\%_]/g, (character) => `\\${character}`)}%`,
      ),
    )
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

/**
 * Orders that somebody may be paying at this moment, or has paid without our hearing of it; those not looked at for longest
 * first. One that has failed may be paid all the same, by another card; and an old one has perhaps a new attempt.
 */
export async function listUnpaidOrders(
  db: Db,
  { since, triedSince, limit }: { since: Date; triedSince: Date; limit: number },
) {
  return db
    .selectFrom('orders')
    .select(['id', 'provider'])
    .where('payment_status', 'in', ['pending', 'failed'])
    .where('created_at', '>=', since)
    .where((eb) => isTriedSince(eb, triedSince))
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();
}

/** Orders that were paid lately, of which something may have gone back without our hearing of it. */
export async function listPaidOrders(
  db: Db,
  { since, checkedBefore, limit }: { since: Date; checkedBefore: Date; limit: number },
) {
  return db
    .selectFrom('orders')
    .select(['id', 'provider'])
    .where('paid_at', '>=', since)
    .where((eb) => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', checkedBefore)]))
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();
}

function isTriedSince({ exists, selectFrom }: ExpressionBuilder<Schema, 'orders'>, since: Date) {
  const attempts = selectFrom('payments')
    .select('payments.id')
    .whereRef('payments.order_id', '=', 'orders.id');
  return exists(attempts.where('payments.created_at', '>=', since));
}

export async function listUnpaidOrdersOf(
  db: Db,
  { userId, since }: { userId: string; since: Date },
) {
  return db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('payment_status', 'in', ['pending', 'failed'])
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute();
}

export async function giveUpOrders(
  db: Db,
  { before, problem }: { before: Date; problem: string },
): Promise<void> {
  const change = { payment_status: 'failed' as const, problem };
  const given = await db
    .updateTable('orders')
    .set(change)
    .where('payment_status', '=', 'pending')
    .where('created_at', '<', before)
    .where((eb) => eb.not(isTriedSince(eb, before)))
    .returning('id')
    .execute();
  const ids = given.map(({ id }) => id);
  if (ids.length === 0) return;
  await db
    .updateTable('payments')
    .set(change)
    .where('order_id', 'in', ids)
    .where('payment_status', '=', 'pending')
    .execute();
}
