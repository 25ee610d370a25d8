import { type Kysely, sql } from 'kysely';

/** How the columns of a sheet are arranged in grids; null until someone arranges them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table sheets add column view jsonb`.execute(db);
}
