import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Config, DatabaseConfig } from '../../config/config.ts';
import { openForCopy } from '../../db/connect.ts';
import { DataDirectoryInUse, DataDirectoryLock } from '../../db/embedded/data-lock.ts';
import { requestCopy } from '../../db/embedded/running-copy.ts';
import { lastMigrationOf, latestMigration } from '../../db/migrate.ts';
import { countSheets, fullName, listTables, writeTable } from '../../db/table-files.ts';
import type { Db } from '../../db/transaction.ts';
import type { FileStore } from '../../domains/files/port.ts';
import { absentAs } from '../../lib/failed-work.ts';
import { openFiles } from '../../open-files.ts';
import { programVersion } from '../../version.ts';
import {
  assertLedgerHolds,
  BackupRefused,
  filesFolder,
  type Manifest,
  measureFiles,
  tableFile,
  writeManifest,
} from './manifest.ts';

type Place = Pick<Config, 'database' | 'dataDirectory' | 'bucket'>;

/** A backup within the data directory is lost with it, and can be part of the next backup. */
export async function backUpOutside(place: Place, folder: string): Promise<Manifest> {
  const path = relative(realPath(place.dataDirectory), realPath(folder));
  const isWithin = !isAbsolute(path) && path.split(sep)[0] !== '..';
  if (isWithin)
    throw new BackupRefused(
      `${folder} is within the data directory, ${place.dataDirectory}. Name a folder outside it.`,
    );
  return backUp(place, folder);
}

/** Follows links, also of a folder that does not exist yet. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}

/** Writes database and files into a new folder, also while the product runs. */
export async function backUp(place: Place, folder: string): Promise<Manifest> {
  const unfinished = `${folder}.unfinished`;
  const taken = [folder, unfinished].find((path) => existsSync(path));
  if (taken) throw new BackupRefused(`${taken} already exists. Name a new folder for each backup.`);
  mkdirSync(join(unfinished, 'tables'), { recursive: true, mode: 0o700 });
  try {
    const manifest = await write(place, unfinished);
    renameSync(unfinished, folder);
    return manifest;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Copies the files before and after the database, so that none is missing that the database names.
 * The orphan job deletes one that only the first copy has.
 */
async function write(place: Place, folder: string): Promise<Manifest> {
  const hadFiles = await copyFiles(place, folder);
  const { sheets, ...database } = await backUpDatabase(place.database, folder);
  const hasFiles = await copyFiles(place, folder);
  if (sheets > 0 && !hadFiles && !hasFiles)
    throw new BackupRefused(
      `The database has ${sheets} sheets, but no file of them is stored in ${placeOfFiles(place)}. Use the same DATA_DIR or FILES_BUCKET as Rowmill.`,
    );
  const manifest: Manifest = {
    format: 1,
    version: programVersion,
    madeAt: new Date().toISOString(),
    ...database,
    files: await measureFiles(folder),
  };
  writeManifest(folder, manifest);
  return manifest;
}

interface DatabaseBackup extends Pick<Manifest, 'migration' | 'isDemo' | 'tables'> {
  /** How many sheets have files. */
  sheets: number;
}

async function backUpDatabase(config: DatabaseConfig, folder: string): Promise<DatabaseBackup> {
  if (config.kind === 'postgres' || config.directory === null || !isHeld(config.directory))
    return writeTables(config, folder);
  const { directory } = config;
  await using copy = await requestCopy(directory, () => isHeld(directory));
  return await writeTables({ kind: 'embedded', directory: copy.directory }, folder);
}

/** Whether a process uses the data directory now. */
export function isHeld(directory: string): boolean {
  if (!existsSync(join(directory, 'database')))
    throw new BackupRefused(`${directory} holds no database.`);
  try {
    DataDirectoryLock.take(directory)[Symbol.dispose]();
    return false;
  } catch (error) {
    if (error instanceof DataDirectoryInUse) return true;
    throw error;
  }
}

async function writeTables(config: DatabaseConfig, folder: string): Promise<DatabaseBackup> {
  await using database = await openForCopy(config);
  const migration = await lastMigrationOf(database.db);
  if (migration !== latestMigration)
    throw new BackupRefused(
      `The database was written by another version of Rowmill (migration ${migration}), and this is ${programVersion}. Back it up with that version, or copy its DATA_DIR while it is stopped.`,
    );
  return await database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db: Db) => {
      const tables: Manifest['tables'] = {};
      for (const table of await listTables(db)) {
        const name = fullName(table);
        tables[name] = await writeTable(db, table, tableFile(folder, name));
      }
      await assertLedgerHolds(db);
      const isDemo = (tables['public.demo_mark'] ?? 0) > 0;
      return { migration, isDemo, tables, sheets: await countSheets(db) };
    });
}

const placeOfFiles = ({ bucket, dataDirectory }: Place) =>
  bucket ? `the bucket ${bucket.bucket}` : dataDirectory;

/**
 * Stored files never change, so those that an earlier call copied are left alone. Returns whether
 * there are any.
 */
async function copyFiles(place: Place, folder: string): Promise<boolean> {
  let hasFiles = false;
  await using stack = new AsyncDisposableStack();
  const store = await openFiles(place, stack);
  for await (const key of store.unchangedSince(new Date(Date.now() + 60_000))) {
    hasFiles = true;
    const to = join(filesFolder(folder), key);
    // A sheet may be deleted meanwhile.
    if (!existsSync(to)) await absentAs(null, copyStored(store, key, to));
  }
  return hasFiles;
}

async function copyStored(store: FileStore, key: string, to: string): Promise<void> {
  await using copy = await store.fetch(key);
  // The key of an empty folder.
  if (!(await stat(copy.path)).isFile()) return;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(copy.path, to);
}
