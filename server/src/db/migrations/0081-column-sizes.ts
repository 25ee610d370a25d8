import { type Kysely, sql } from 'kysely';

/** The import counts empty and long rows, so a start need not read the sheet. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table sheets add column column_sizes jsonb`.execute(db);
}
