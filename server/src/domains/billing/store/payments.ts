import type { Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import type { PaymentTable, ReversalTable } from '../../../db/billing-tables.ts';
import type { Db } from '../../../db/transaction.ts';

export type PaymentRow = Selectable<PaymentTable>;
export type ReversalRow = Selectable<ReversalTable>;

export async function insertPayment(
  db: Db,
  payment: Insertable<PaymentTable>,
): Promise<PaymentRow> {
  return db.insertInto('payments').values(payment).returningAll().executeTakeFirstOrThrow();
}

/** The latest attempt first. */
export async function listPaymentsOfOrder(db: Db, orderId: string): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('attempt', 'desc')
    .execute();
}

export async function getPayment(db: Db, id: string): Promise<PaymentRow> {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function findPaymentByRef(
  db: Db,
  providerRef: string,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('provider_ref', '=', providerRef)
    .executeTakeFirst();
}

export async function updatePayment(
  db: Db,
  id: string,
  changes: Updateable<PaymentTable>,
): Promise<void> {
  await db.updateTable('payments').set(changes).where('id', '=', id).execute();
}

/** A payment whose name we have not written down, because we died after the provider had answered. */
export async function nameLostPayment(
  db: Db,
  { orderId, providerRef }: { orderId: string; providerRef: string },
): Promise<void> {
  await db
    .updateTable('payments')
    .set({ provider_ref: providerRef })
    .where('order_id', '=', orderId)
    .where('provider_ref', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments as other')
            .select('other.id')
            .where('other.provider_ref', '=', providerRef),
        ),
      ),
    )
    .execute();
}

/** What is known of a reversal only grows: open, then taken, then returned. News that come late change nothing. */
export async function mergeReversal(db: Db, reversal: ReversalRow): Promise<void> {
  const rank = (state: unknown) =>
    sql<number>`array_position(array['open', 'taken', 'returned'], ${state})`;
  await db
    .insertInto('reversals')
    .values(reversal)
    .onConflict((conflict) =>
      conflict
        .column('provider_ref')
        .doUpdateSet({ state: sql`excluded.state` })
        .where(
          sql<boolean>`${rank(sql.ref('excluded.state'))} > ${rank(sql.ref('reversals.state'))}`,
        ),
    )
    .execute();
}

export async function listReversals(db: Db, paymentId: string): Promise<ReversalRow[]> {
  return db
    .selectFrom('reversals')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('provider_ref')
    .execute();
}

export async function listPayments(
  db: Db,
  {
    userId,
    start,
    limit,
    search,
  }: { userId: string; start: number; limit: number; search: string },
) {
  return selectWithOrders(db)
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('payments.user_id', '=', userId)
    .$if(search !== '', (query) =>
      query.where(
        sql`(orders.description || ' ' || payments.payment_status || ' ' || payments.provider || ' ' || payments.id)`,
        'ilike',
        `%${search.replace(/[\\%_]/g, (character) => `\\${character}`)}%`,
      ),
    )
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

export async function listPaymentsInFull(db: Db, orderId: string) {
  return selectWithOrders(db)
    .where('payments.order_id', '=', orderId)
    .orderBy('attempt', 'desc')
    .execute();
}

export type PaymentInFull = Awaited<ReturnType<typeof listPaymentsInFull>>[number];

function selectWithOrders(db: Db) {
  return db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .selectAll('payments')
    .select(['orders.description', 'orders.total_minor', 'orders.currency']);
}
