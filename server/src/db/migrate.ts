import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type QueryExecutorProvider, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartRefused } from '../lib/start-refused.ts';
import { programVersion } from '../version.ts';
import type { Db } from './transaction.ts';

const folder = join(import.meta.dirname, 'migrations');
const migrations = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.slice(0, -'.sql'.length))
  .sort();

export const latestMigration = migrations.at(-1) ?? '';
export const knowsMigration = (name: string): boolean => migrations.includes(name);

/**
 * Forward only, in one transaction, under an advisory lock on a shared database. `upTo` names the
 * last migration to run; without it all of them run.
 */
export async function migrate(db: Db, upTo?: string): Promise<void> {
  await assertNotNewer(db);
  // Else such tables of another program in another schema would count as ours.
  const migrationTableSchema = 'public';
  const migrator = new Migrator({ db, provider: { getMigrations }, migrationTableSchema });
  const { error } = upTo ? await migrator.migrateTo(upTo) : await migrator.migrateToLatest();
  if (!error) return;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`The database could not be migrated: ${reason}`, { cause: error });
}

async function getMigrations(): Promise<Record<string, Migration>> {
  return Object.fromEntries(migrations.map((name) => [name, { up: (db) => run(db, name) }]));
}

/** Statements end with a semicolon; the next one begins at the start of a line. */
async function run(db: QueryExecutorProvider, name: string): Promise<void> {
  const text = readFileSync(join(folder, `${name}.sql`), 'utf8');
  for (const statement of text.split(/(?<=;)\n+(?=\S)(?!begin|end)/))
    await sql.raw(statement).execute(db);
}

async function assertNotNewer(db: Db): Promise<void> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('public.kysely_migration') is not null as there`.execute(db);
  if (!tables[0]?.there) return;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc`.execute(db);
  const unknown = rows.find(({ name }) => !knowsMigration(name));
  if (unknown)
    throw new StartRefused(
      `The database was written by a newer version of Rowmill (migration ${unknown.name}), and this is ${programVersion}. Start that version, or restore a backup. Nothing was changed.`,
    );
}

export async function lastMigrationOf(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select max(name) as name from kysely_migration`.execute(db);
  return rows[0]?.name ?? '';
}
