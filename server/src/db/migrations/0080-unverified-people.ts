import { type Kysely, sql } from 'kysely';

/** Accounts that were never verified are found and deleted without reading whole tables. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index users_unverified on users (created_at)
    where email_verified_at is null and deleted_at is null`.execute(db);
  for (const [table, column] of Object.entries(references))
    await sql`create index ${sql.ref(`${table}_by_${column}`)} on ${sql.table(table)} (${sql.ref(column)})`.execute(
      db,
    );
}

/** The columns that refer to a person and had no index. */
const references = {
  batches: 'actor_id',
  catalogue_history: 'actor_id',
  former_clients: 'admin_id',
  orders: 'actor_id',
  sheets: 'actor_id',
  single_prompts: 'actor_id',
};
