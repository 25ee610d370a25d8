import { type Kysely, sql } from 'kysely';

/** A sheet can come from a workbook: which of its sheets, and what else its dialect sets. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table sheets
      add column layout jsonb not null default '{}',
      add column worksheets jsonb not null default '[]'`.execute(db);
}
