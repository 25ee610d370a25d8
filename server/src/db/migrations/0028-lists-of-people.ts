import { type Kysely, sql } from 'kysely';

/** The operator's list of people is read from the newest on. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index users_by_time on users (created_at, id) where deleted_at is null`.execute(
    db,
  );
}
