import { type Kysely, sql } from 'kysely';

/** An account with a failed ledger check starts no new work. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table credit_accounts add column frozen_at timestamptz`.execute(db);
}
