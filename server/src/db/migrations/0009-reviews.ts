import { type Kysely, sql } from 'kysely';

/** An operator decides about payments that do not match their order; a rejected one is never applied. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table payments add column refused_at timestamptz`.execute(db);
  await sql`create index payments_in_review on payments (created_at) where payment_status = 'review'`.execute(
    db,
  );
}
