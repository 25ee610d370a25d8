import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

/** Indexes below this size are never worth a rebuild. */
const smallIndexBytes = 1_000_000;
/** A generous estimate of an index entry. Larger indexes consist mostly of empty pages. */
const bytesPerEntry = 150;

/**
 * Frees the space of deleted rows and renews the statistics, for the embedded database without
 * autovacuum. Each table is a statement, so that requests get their turn in between.
 */
export async function vacuum(db: Db, tables?: readonly string[]): Promise<void> {
  for (const table of tables ?? (await listTables(db))) {
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
    // Vacuum frees the end of a table on disk, but never a page of an index.
    for (const index of await listEmptyIndexes(db, table))
      await sql`reindex index ${sql.table(index)}`.execute(db);
  }
}

/** As PostgreSQL's autovacuum, but later for few rows. Parts of long texts are rows too. */
const deadRows = { atLeast: 10_000, share: 0.2 };

/** Vacuums tables of the embedded database that collect dead rows too fast for the nightly job. */
export async function vacuumChangedTables(db: Db): Promise<void> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select t.schemaname || '.' || t.relname as name
    from pg_stat_user_tables t join pg_class c on c.oid = t.relid
      left join pg_stat_all_tables long on long.relid = c.reltoastrelid
    where t.n_dead_tup + coalesce(long.n_dead_tup, 0)
      > ${deadRows.atLeast} + ${deadRows.share}::float8 * (t.n_live_tup + coalesce(long.n_live_tup, 0))`.execute(
    db,
  );
  if (rows.length > 0)
    await vacuum(
      db,
      rows.map(({ name }) => name),
    );
}

/** The indexes with far more pages than rows. Few rows are left, so a rebuild is short. */
async function listEmptyIndexes(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class t on t.oid = i.indrelid
    where t.oid = ${table}::regclass and pg_relation_size(i.indexrelid)
      > ${smallIndexBytes} + ${bytesPerEntry} * greatest(t.reltuples, 0)`.execute(db);
  return rows.map(({ name }) => name);
}

async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('public', 'jobs') order by 1`.execute(db);
  return rows.map(({ name }) => name);
}
