import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config, DatabaseConfig } from '../../config/config.ts';
import { openForCopy } from '../../db/connect.ts';
import { knowsMigration, latestMigration, migrate } from '../../db/migrate.ts';
import {
  countRows,
  deleteAllRows,
  findAnyTable,
  fullName,
  listTables,
  readTable,
  type Table,
  withoutConstraints,
} from '../../db/table-files.ts';
import type { Db } from '../../db/transaction.ts';
import type { FileStore } from '../../domains/files/port.ts';
import { openFiles } from '../../open-files.ts';
import { migrateOnce } from '../migrate-once.ts';
import {
  assertLedgerHolds,
  BackupRefused,
  keyOf,
  listFiles,
  type Manifest,
  measureFiles,
  readManifest,
  tableFile,
} from './manifest.ts';

type Place = Pick<Config, 'database' | 'dataDirectory' | 'bucket'>;

/**
 * Into an empty place. The database comes last, so a product that starts with it has its files. The
 * ledger checks run before anything is final.
 */
export async function restore(
  folder: string,
  place: Place,
  { withFiles = true } = {},
): Promise<Manifest> {
  const manifest = readManifest(folder);
  if (!knowsMigration(manifest.migration))
    throw new BackupRefused(
      `${folder} was made by version ${manifest.version}, which is newer than this one. Install that version.`,
    );
  if (place.database.kind === 'postgres' && manifest.isDemo)
    throw new BackupRefused(
      'This is a demo, whose passwords are public: it stays on the embedded database of this machine.',
    );
  await assertFiles(folder, manifest);
  await assertTables(folder, manifest);
  await assertNoDatabase(place);
  await using stack = new AsyncDisposableStack();
  const store = withFiles ? await openFiles(place, stack) : null;
  if (store) await assertNoFiles(store);
  const { database, dataDirectory } = place;
  try {
    if (store) await restoreFiles(folder, store);
    if (database.kind === 'postgres')
      await restorePostgres({ folder, manifest }, database, dataDirectory);
    else await restoreEmbedded(folder, manifest, dataDirectory);
  } catch (error) {
    // Another try needs an empty place.
    if (store) await removeFiles(folder, store).catch(() => {});
    throw error;
  }
  return manifest;
}

async function assertNoDatabase({ database, dataDirectory }: Place): Promise<void> {
  if (database.kind === 'postgres') await assertNoTables(database);
  else if (existsSync(join(dataDirectory, 'database')))
    throw new BackupRefused(`${dataDirectory} already holds a database. Name an empty DATA_DIR.`);
}

async function assertNoFiles(store: FileStore): Promise<void> {
  for await (const key of store.unchangedSince(new Date(Date.now() + 60_000)))
    throw new BackupRefused(`The place for files is not empty: it has ${key}. Name an empty one.`);
}

/** The database gets its name when it is complete. */
async function restoreEmbedded(folder: string, manifest: Manifest, dataDirectory: string) {
  const unfinished = join(dataDirectory, 'restore.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  await fill(
    { kind: 'embedded', directory: unfinished },
    { folder, manifest, settings: { DATA_DIR: unfinished, DEMO: manifest.isDemo ? 'on' : 'off' } },
  );
  renameSync(join(unfinished, 'database'), join(dataDirectory, 'database'));
  rmSync(unfinished, { recursive: true });
}

async function restorePostgres(
  { folder, manifest }: Pick<Source, 'folder' | 'manifest'>,
  database: Extract<DatabaseConfig, { kind: 'postgres' }>,
  dataDirectory: string,
): Promise<void> {
  // The backup may be read-only.
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const unused = mkdtempSync(join(dataDirectory, 'restore-'));
  const settings = {
    DATA_DIR: unused,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl ?? '',
  };
  try {
    await fill(database, { folder, manifest, settings });
  } finally {
    rmSync(unused, { recursive: true, force: true });
  }
}

async function assertNoTables(config: DatabaseConfig): Promise<void> {
  await using database = await openForCopy(config);
  const table = await findAnyTable(database.db);
  if (table)
    throw new BackupRefused(
      `The target database is not empty: it has the table ${table}. Name an empty one.`,
    );
}

interface Source {
  folder: string;
  manifest: Manifest;
  /** The settings of a product on the target. */
  settings: Record<string, string>;
}

/** Product tables as they were, then later migrations and the queue's tables, then open jobs. */
async function fill(config: DatabaseConfig, { folder, manifest, settings }: Source): Promise<void> {
  const isBlank = manifest.migration !== latestMigration;
  {
    await using database = await openForCopy(config, { isBlank });
    await migrate(database.db, manifest.migration);
    await database.db.transaction().execute(async (db: Db) => {
      const tables = (await listTables(db)).filter(({ schema }) => schema === 'public');
      await withoutConstraints(db, tables, async () => {
        for (const table of tables) {
          await deleteAllRows(db, table);
          await load(table, { db, folder, manifest });
        }
      });
      if (!isBlank) await assertLedgerHolds(db);
    });
  }
  await migrateOnce(settings);
  await using database = await openForCopy(config);
  await database.db.transaction().execute(async (db: Db) => {
    const jobs = (await listTables(db)).filter(({ schema }) => schema === 'jobs');
    for (const table of jobs) await load(table, { db, folder, manifest });
    // The checks of this version read columns that an older one does not have.
    if (isBlank) await assertLedgerHolds(db);
  });
}

async function load(
  table: Table,
  { db, folder, manifest }: { db: Db } & Pick<Source, 'folder' | 'manifest'>,
): Promise<void> {
  const name = fullName(table);
  if (manifest.tables[name]) await readTable(db, table, tableFile(folder, name));
}

async function assertFiles(folder: string, { files }: Manifest): Promise<void> {
  const { count, bytes, sha256 } = await measureFiles(folder);
  if (count !== files.count || bytes !== files.bytes)
    throw new BackupRefused(
      `The backup is damaged: it has ${count} of ${files.count} files, ${bytes} of ${files.bytes} bytes.`,
    );
  if (files.sha256 && sha256 !== files.sha256)
    throw new BackupRefused(
      'The backup is damaged: a file in it has another name or content. Restore another one.',
    );
}

/** Reads all of them, so that damage is found before anything is written. */
async function assertTables(folder: string, { tables }: Manifest): Promise<void> {
  for (const [name, expected] of Object.entries(tables)) {
    if (expected === 0) continue;
    const count = await countRows(tableFile(folder, name)).catch((cause: Error) => {
      throw new BackupRefused(
        `The backup is damaged: ${name} cannot be read (${cause.message}). Restore another one.`,
        { cause },
      );
    });
    if (count !== expected)
      throw new BackupRefused(`The backup is damaged: ${name} has ${count} of ${expected} rows.`);
  }
}

async function restoreFiles(folder: string, store: FileStore): Promise<void> {
  for (const path of listFiles(folder)) {
    const temporary = store.temporaryPath();
    try {
      await copyFile(path, temporary);
      await store.store(temporary, keyOf(folder, path));
    } finally {
      await store.discard(temporary);
    }
  }
}

async function removeFiles(folder: string, store: FileStore): Promise<void> {
  const folders = new Set(listFiles(folder).map((path) => dirname(keyOf(folder, path))));
  for (const key of folders) await store.remove(key);
}
