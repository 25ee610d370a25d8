import { type Kysely, sql } from 'kysely';

/** Crash counts of slices and rows. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table slices
      add column crashes integer not null default 0 check (crashes >= 0),
      add column trial jsonb,
      add column accused jsonb not null default '{}'`.execute(db);
}
