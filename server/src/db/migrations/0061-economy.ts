import { type Kysely, sql } from 'kysely';

/** Models with a flex tier, batches with a deadline, and batches that wait for capacity. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table models add column has_flex boolean not null default false`.execute(db);
  await sql`alter table batches add column finish_by timestamptz`.execute(db);
  await sql`
    alter table batches drop constraint batches_pause_reason, add constraint batches_pause_reason
      check (pause_reason in ('person', 'needs_credits', 'provider_refused', 'request_refused', 'provider_down', 'storage_full', 'no_capacity'))`.execute(
    db,
  );
}
