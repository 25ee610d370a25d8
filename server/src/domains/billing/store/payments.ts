import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { PaymentTable, ReversalTable } from '../../../db/billing-tables.ts';
import type { SearchedPage } from '../../../db/lists.ts';
import type { Db } from '../../../db/transaction.ts';
import { containing } from '../../../lib/search.ts';
import { paidInstead } from './orders.ts';

export type PaymentRow = Selectable<PaymentTable>;
export type ReversalRow = Selectable<ReversalTable>;

export async function insertPayment(db: Db, payment: Insertable<PaymentTable>) {
  return db.insertInto('payments').values(payment).returningAll().executeTakeFirstOrThrow();
}

/** The latest attempt first. */
export async function listPaymentsOfOrder(db: Db, orderId: string) {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('attempt', 'desc')
    .execute();
}

export async function getPayment(db: Db, id: string) {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function findPaymentByRef(
  db: Db,
  { provider, providerRef }: { provider: string; providerRef: string },
) {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider)
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

/** Stores the reference of a payment whose opening was interrupted after the provider's answer. */
export async function claimPaymentRef(
  db: Db,
  { orderId, provider, providerRef }: { orderId: string; provider: string; providerRef: string },
): Promise<void> {
  await db
    .updateTable('payments')
    .set({ provider_ref: providerRef })
    .where('order_id', '=', orderId)
    .where('provider', '=', provider)
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

/** A reversal only moves forward: open, taken, returned. Its end may be about a smaller amount. */
export async function mergeReversal(db: Db, reversal: ReversalRow): Promise<void> {
  const rank = (state: unknown) =>
    sql<number>`array_position(array['open', 'taken', 'returned'], ${state})`;
  await db
    .insertInto('reversals')
    .values(reversal)
    .onConflict((conflict) =>
      conflict
        .column('provider_ref')
        .doUpdateSet({ state: sql`excluded.state`, amount_minor: sql`excluded.amount_minor` })
        .where(
          sql<boolean>`${rank(sql.ref('excluded.state'))} > ${rank(sql.ref('reversals.state'))}`,
        ),
    )
    .execute();
}

export async function listReversals(db: Db, paymentId: string) {
  return db
    .selectFrom('reversals')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('provider_ref')
    .execute();
}

export async function listPayments(
  db: Db,
  { userId, start, limit, search }: SearchedPage & { userId: string },
) {
  return selectWithOrders(db)
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('payments.user_id', '=', userId)
    .$if(search !== '', (query) =>
      query.where(
        sql`(orders.description || ' ' || payments.payment_status || ' ' || orders.payment_method || ' ' || payments.id)`,
        'ilike',
        containing(search),
      ),
    )
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

export async function listPaymentsWithOrder(db: Db, orderId: string) {
  return selectWithOrders(db)
    .where('payments.order_id', '=', orderId)
    .orderBy('attempt', 'desc')
    .execute();
}

export type PaymentWithOrder = Awaited<ReturnType<typeof listPaymentsWithOrder>>[number];

function selectWithOrders(db: Db) {
  return db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .selectAll('payments')
    .select([
      'orders.description',
      'orders.total_minor',
      'orders.currency',
      'orders.payment_method',
    ])
    .select((eb) => paidInstead(eb).as('replaced_by'));
}

/** Payments that wait for a decision or a refund, with their buyers, oldest first. */
export async function listPaymentsInReview(db: Db, { start, limit, search }: SearchedPage) {
  return db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .selectAll('payments')
    .select([
      sql<string>`users.first_name || ' ' || users.last_name`.as('person_name'),
      'users.email as person_email',
      'users.deleted_at as person_deleted_at',
    ])
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('payments.payment_status', '=', 'review')
    .$if(search !== '', (query) =>
      query.where(
        sql`(users.first_name || ' ' || users.last_name || ' ' || users.email || ' ' || payments.order_id || ' ' ||
          coalesce(payments.provider_ref, ''))`,
        'ilike',
        containing(search),
      ),
    )
    .orderBy('payments.created_at')
    .orderBy('payments.id')
    .offset(start)
    .limit(limit)
    .execute();
}

/** Rejected by an operator and not refunded yet. */
export async function listPaymentsToRefund(
  db: Db,
  { provider, limit }: { provider: string; limit: number },
) {
  return db
    .selectFrom('payments')
    .select('id')
    .where('provider', '=', provider)
    .where('payment_status', '=', 'review')
    .where('refused_at', 'is not', null)
    .orderBy('refund_refusals')
    .orderBy('refused_at')
    .limit(limit)
    .execute();
}

export async function findPayment(db: Db, id: string) {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
}
