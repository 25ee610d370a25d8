import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { findBrokenInvariants } from '../../db/invariants.ts';
import type { Db } from '../../db/transaction.ts';
import { parseJson } from '../../lib/json-values.ts';

/** A reason for the person at the command line, without a stack. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}

/** Written last, so a folder without it is not a complete backup. */
const manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  madeAt: z.string(),
  /** The last one that the database had. */
  migration: z.string(),
  isDemo: z.boolean(),
  /** Rows by table. */
  tables: z.record(z.string(), z.number()),
  files: z.object({
    count: z.number(),
    bytes: z.number(),
    /** Of names and contents. An earlier version stored none. */
    sha256: z.optional(z.string()),
  }),
});
export type Manifest = z.infer<typeof manifest>;

const pathIn = (folder: string) => join(folder, 'backup.json');
export const tableFile = (folder: string, table: string): string =>
  join(folder, 'tables', `${table}.jsonl.gz`);
export const filesFolder = (folder: string): string => join(folder, 'files');

/** The paths of the stored files in a backup. */
export function listFiles(folder: string): string[] {
  const root = filesFolder(folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** The database checks the texts of its tables, but nothing else checks the files. */
export async function measureFiles(folder: string): Promise<Required<Manifest['files']>> {
  const all = createHash('sha256');
  const paths = listFiles(folder).toSorted();
  let bytes = 0;
  for (const path of paths) {
    bytes += statSync(path).size;
    const one = createHash('sha256');
    await pipeline(createReadStream(path), one);
    all.update(`${keyOf(folder, path)} ${one.digest('hex')}\n`);
  }
  return { count: paths.length, bytes, sha256: all.digest('hex') };
}

/** The name of a file of the backup in the file store. */
export const keyOf = (folder: string, path: string): string =>
  path.slice(filesFolder(folder).length + 1).replaceAll('\\', '/');

export function writeManifest(folder: string, content: Manifest): void {
  writeFileSync(pathIn(folder), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

export function readManifest(folder: string): Manifest {
  if (!existsSync(pathIn(folder)))
    throw new BackupRefused(`${folder} is no complete backup: it has no backup.json.`);
  const read = manifest.safeParse(parseJson(readFileSync(pathIn(folder), 'utf8')));
  if (read.success) return read.data;
  throw new BackupRefused(
    `${pathIn(folder)} is damaged, or another version of this command made it. Restore another backup.`,
  );
}

export async function assertLedgerHolds(db: Db): Promise<void> {
  const broken = await findBrokenInvariants(db);
  if (broken.length === 0) return;
  const claims = broken.map(({ invariant, ids }) => `  - ${invariant}: ${ids.length} records`);
  throw new BackupRefused(['These ledger checks fail:', ...claims].join('\n'));
}
