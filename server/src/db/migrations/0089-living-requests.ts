import { type Kysely, sql } from 'kysely';

/** Tells whether the process of a request without an answer was killed. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table idempotency_keys add column alive_at timestamptz not null default now()`.execute(
    db,
  );
}
