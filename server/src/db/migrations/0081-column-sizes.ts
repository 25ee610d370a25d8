import { type Kysely, sql } from 'kysely';

/** A start need not read a sheet whose import has counted that no row of it is empty or too long. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table sheets add column column_sizes jsonb`.execute(db);
}
