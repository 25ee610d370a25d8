import { type Kysely, sql } from 'kysely';

/** Tells whether a transaction was committed when the reply to its commit was lost. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table transaction_receipts (
      id text primary key,
      created_at timestamptz not null default now()
    )`.execute(db);
}
