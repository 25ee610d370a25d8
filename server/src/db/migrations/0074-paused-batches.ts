import { type Kysely, sql } from 'kysely';

/**
 * Since when a batch is paused. Two indexes find what waits for one thing, and the batches of a
 * sheet.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table batches add column paused_at timestamptz`.execute(db);
  await sql`drop index batches_running_or_paused`.execute(db);
  await sql`create index batches_running_or_paused on batches (state, pause_reason)
    where state in ('running', 'paused')`.execute(db);
  await sql`create index batches_of_sheet on batches (sheet_id) where deleted_at is null`.execute(
    db,
  );
}
