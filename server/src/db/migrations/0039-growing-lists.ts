import { type Kysely, sql } from 'kysely';

/** Pages and counts of batches are read from indexes. One on counts would slow every result. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, columns] of Object.entries(indexes))
    await sql`create index ${sql.ref(name)} on batches (${sql.raw(columns)}) where deleted_at is null`.execute(
      db,
    );
}

const indexes = {
  batches_by_time: 'user_id, created_at, id',
  batches_by_state: 'user_id, state, created_at, id',
  batches_by_name: 'user_id, lower(name), created_at desc, id desc',
};
