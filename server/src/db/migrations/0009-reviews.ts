import { type Kysely, sql } from 'kysely';

/** Payments that did not fit are decided by an operator; one that he has refused is never settled again. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table payments add column refused_at timestamptz`.execute(db);
  await sql`create index payments_in_review on payments (created_at) where payment_status = 'review'`.execute(
    db,
  );
}
