import { type Kysely, sql } from 'kysely';

/** How long a tried row took, and what a batch was expected to take when it started. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table results add column milliseconds integer check (milliseconds >= 0)`.execute(
    db,
  );
  await sql`alter table batches add column estimate jsonb`.execute(db);
}
