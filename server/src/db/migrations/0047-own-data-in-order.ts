import { type Kysely, sql } from 'kysely';

/** The export of own data reads pages by id, which would otherwise sort all rows of a person. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['single_prompts', 'credit_entries'])
    await sql`create index ${sql.ref(`${table}_in_order`)} on ${sql.table(table)} (user_id, id)`.execute(
      db,
    );
}
