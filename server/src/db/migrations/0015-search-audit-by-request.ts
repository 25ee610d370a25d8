import { type Kysely, sql } from 'kysely';

/** The id of a request is looked for in the whole audit log. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index audit_entries_of_a_request on audit_entries (request_id)`.execute(db);
}
