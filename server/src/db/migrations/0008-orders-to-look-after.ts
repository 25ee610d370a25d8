import { type Kysely, sql } from 'kysely';

/** Indexes for the reconciler: orders that may still be paid, and those paid recently. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop index orders_to_look_at`.execute(db);
  await sql`create index orders_to_look_at on orders (created_at) where payment_status in ('pending', 'failed')`.execute(
    db,
  );
  await sql`create index orders_paid on orders (paid_at) where paid_at is not null`.execute(db);
}
