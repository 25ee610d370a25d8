import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import type { PaymentRow } from './payments.ts';

interface Listing {
  start: number;
  limit: number;
  search: string;
}

/** Payments that wait for a decision, or whose money is being given back, those that wait longest first, each with its person. */
export async function listPaymentsInReview(db: Db, { start, limit, search }: Listing) {
  const pattern = `%${search.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .selectAll('payments')
    .select([
      sql<string>`users.first_name || ' ' || users.last_name`.as('person_name'),
      'users.email as person_email',
    ])
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('payments.payment_status', '=', 'review')
    .$if(search !== '', (query) =>
      query.where(
        sql`(users.first_name || ' ' || users.last_name || ' ' || users.email || ' ' || payments.order_id || ' ' ||
          coalesce(payments.provider_ref, ''))`,
        'ilike',
        pattern,
      ),
    )
    .orderBy('payments.created_at')
    .orderBy('payments.id')
    .offset(start)
    .limit(limit)
    .execute();
}

/** Refused by an operator, and not given back yet. */
export async function listPaymentsToGiveBack(db: Db, limit: number) {
  return db
    .selectFrom('payments')
    .select(['id', 'provider'])
    .where('payment_status', '=', 'review')
    .where('refused_at', 'is not', null)
    .orderBy('give_back_refusals')
    .orderBy('refused_at')
    .limit(limit)
    .execute();
}

export async function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
}
