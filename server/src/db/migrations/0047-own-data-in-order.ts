import { type Kysely, sql } from 'kysely';

/** The export of a person's data reads pages in the order of ids. Without these, each page would sort all rows of the person. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['single_prompts', 'credit_entries'])
    await sql`create index ${sql.ref(`${table}_in_order`)} on ${sql.table(table)} (user_id, id)`.execute(
      db,
    );
}
