import { type Kysely, sql } from 'kysely';

/** The overview is counted from these indexes. Answered rows do not change their columns. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, records] of Object.entries(indexes))
    await sql`create index ${sql.ref(name)} on ${sql.raw(records)}`.execute(db);
}

const indexes = {
  batches_by_start: 'batches (started_at) where started_at is not null',
  orders_by_payment: 'orders (paid_at) where paid_at is not null',
  credit_accounts_frozen: 'credit_accounts (frozen_at) where frozen_at is not null',
};
