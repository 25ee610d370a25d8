import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

/**
 * Frees the space of deleted rows and renews the statistics. Each table is a statement of its own, so that requests get
 * their turn in between: the embedded database has one connection and no autovacuum.
 */
export async function vacuum(db: Db, tables?: readonly string[]): Promise<void> {
  for (const table of tables ?? (await listTables(db)))
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
}

async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('public', 'jobs') order by 1`.execute(db);
  return rows.map(({ name }) => name);
}
