import { type Kysely, sql } from 'kysely';

/** An operator decides about payments that differ from their order; a rejected one stays out. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table payments add column refused_at timestamptz`.execute(db);
  await sql`create index payments_in_review on payments (created_at) where payment_status = 'review'`.execute(
    db,
  );
}
