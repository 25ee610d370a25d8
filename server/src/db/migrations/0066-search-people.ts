import { type Kysely, sql } from 'kysely';

/** The newest people are searched in the order of an index that has their small letters. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop index users_by_time`.execute(db);
  await sql`create index users_by_time on users (created_at, id) include (search_text)
    where deleted_at is null`.execute(db);
  await sql`create index clients_by_time on users (admin_id, created_at, id) include (search_text)
    where admin_id is not null and deleted_at is null`.execute(db);
}
