import { type Kysely, sql } from 'kysely';

/** Whose books are not right starts nothing new. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table credit_accounts add column frozen_at timestamptz`.execute(db);
}
