import type { PaymentMethod } from '@rowmill/contract';
import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely';
import type { OrderLineTable, OrderTable } from '../../../db/billing-tables.ts';
import type { SearchedPage } from '../../../db/lists.ts';
import type { Schema } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';
import { containing } from '../../../lib/search.ts';

export type OrderRow = Selectable<OrderTable>;
export type OrderLineRow = Selectable<OrderLineTable>;
export type NewOrder = Insertable<OrderTable>;

/** Undefined if this request has made an order before. */
export async function insertOrder(db: Db, order: NewOrder) {
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
) {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('order_key', '=', orderKey)
    .executeTakeFirstOrThrow();
}

/** An order, and the one in which the same was paid instead. */
export type OwnOrder = OrderRow & { replaced_by: string | null };

export async function findOrder(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<OwnOrder | undefined> {
  return orderById(db, id)
    .select((eb) => paidInstead(eb).as('replaced_by'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/**
 * An order of the same items that was made or paid later, for which money arrived and was not
 * refunded. Paying the unpaid order too would most likely be a mistake.
 */
export function paidInstead({ selectFrom }: ExpressionBuilder<Schema, 'orders'>) {
  return selectFrom('orders as other')
    .select('other.id')
    .where('orders.payment_status', 'in', ['pending', 'failed'])
    .where('other.payment_status', 'in', ['paid', 'disputed', 'review'])
    .whereRef('other.user_id', '=', 'orders.user_id')
    .whereRef('other.type', '=', 'orders.type')
    .whereRef('other.description', '=', 'orders.description')
    .where(sql<boolean>`coalesce(other.paid_at, other.created_at) > orders.created_at`)
    .orderBy('other.created_at', 'desc')
    .limit(1);
}

function orderById(db: Db, id: string) {
  return db.selectFrom('orders').selectAll().where('id', '=', id);
}

export async function getOrder(db: Db, id: string) {
  return orderById(db, id).executeTakeFirstOrThrow();
}

export async function orderExists(db: Db, id: string): Promise<boolean> {
  const order = db.selectFrom('orders').select('id').where('id', '=', id);
  return (await order.executeTakeFirst()) !== undefined;
}

/** Locks the order until the transaction ends, so that only one caller applies a payment to it. */
export async function lockOrder(db: Db, id: string) {
  return orderById(db, id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export async function updateOrder(db: Db, id: string, changes: Updateable<OrderTable>) {
  return db
    .updateTable('orders')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function listOrderLines(db: Db, orderId: string) {
  return db
    .selectFrom('order_lines')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('position')
    .execute();
}

export async function listOrders(
  db: Db,
  { userId, start, limit, search }: SearchedPage & { userId: string },
) {
  return db
    .selectFrom('orders')
    .leftJoin('invoices', (join) =>
      join.onRef('invoices.order_id', '=', 'orders.id').on('invoices.series', '=', 'INV'),
    )
    .selectAll('orders')
    .select((eb) => [
      'invoices.number',
      sql<number>`count(*) over ()`.as('total'),
      paidInstead(eb).as('replaced_by'),
    ])
    .where('orders.user_id', '=', userId)
    .$if(search !== '', (query) =>
      query.where(
        sql`(orders.description || ' ' || coalesce(invoices.number, '') || ' ' || payment_status || ' ' || orders.id)`,
        'ilike',
        containing(search),
      ),
    )
    .orderBy('orders.created_at', 'desc')
    .orderBy('orders.id', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

interface Due {
  method: PaymentMethod;
  now: Date;
  since: Date;
  triedSince: Date;
  limit: number;
}

/**
 * Orders that may be paid without our knowledge, least recently checked first. A failed order
 * counts too: the buyer may try again days later. A payment that its provider checks is asked about
 * less and less often: after a day every hour, after 30 days every 30 hours.
 */
export async function listUnpaidOrders(db: Db, { method, now, since, triedSince, limit }: Due) {
  return db
    .selectFrom('orders')
    .select('id')
    .where('payment_method', '=', method)
    .where('payment_status', 'in', ['pending', 'failed'])
    .where('created_at', '>=', since)
    .where((eb) =>
      eb.or([
        hasAttemptSince(eb, triedSince),
        eb.and([
          isBeingChecked(eb),
          sql<boolean>`checked_at <= ${now}::timestamptz - (${now}::timestamptz - created_at) / 24`,
        ]),
      ]),
    )
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();
}

/** Recently paid orders, which may have been refunded or disputed without our knowledge. */
export async function listPaidOrders(
  db: Db,
  {
    method,
    since,
    checkedBefore,
    limit,
  }: { method: PaymentMethod; since: Date; checkedBefore: Date; limit: number },
) {
  return db
    .selectFrom('orders')
    .select('id')
    .where('payment_method', '=', method)
    .where('paid_at', '>=', since)
    .where((eb) => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', checkedBefore)]))
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();
}

function isBeingChecked(eb: ExpressionBuilder<Schema, 'orders'>) {
  return eb.and([eb('payment_status', '=', 'pending'), eb('is_processing', '=', true)]);
}

function hasAttemptSince({ exists, selectFrom }: ExpressionBuilder<Schema, 'orders'>, since: Date) {
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

export async function expireOrders(
  db: Db,
  { before, checkedSince, problem }: { before: Date; checkedSince: Date; problem: string },
): Promise<void> {
  const change = { payment_status: 'failed' as const, problem };
  const expired = await db
    .updateTable('orders')
    .set(change)
    .where('payment_status', '=', 'pending')
    .where('created_at', '<', before)
    .where((eb) => eb.not(hasAttemptSince(eb, before)))
    .where((eb) => eb.not(eb.and([isBeingChecked(eb), eb('created_at', '>=', checkedSince)])))
    .returning('id')
    .execute();
  const ids = expired.map(({ id }) => id);
  if (ids.length === 0) return;
  await db
    .updateTable('payments')
    .set(change)
    .where('order_id', 'in', ids)
    .where('payment_status', '=', 'pending')
    .execute();
}

/** By id, the sequence in which anything else locks several orders. */
export async function lockOrdersOf(db: Db, userId: string): Promise<void> {
  await db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function clearOrderAddresses(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ billing_address: '{}' })
    .where('user_id', '=', userId)
    .execute();
}
