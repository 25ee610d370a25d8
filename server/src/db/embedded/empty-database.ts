import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * An empty, migrated embedded database, made once per checkout by `npm run build`. Copying it saves
 * 4 s of CPU and 300 MB of memory at the first start.
 */
const folder = join(import.meta.dirname, '../../../.cache');
const prefix = 'empty-database-';
const root = join(import.meta.dirname, '../../../..');
/** What it is made from, so that a changed migration or library makes a new one. */
const inputs = ['package-lock.json', 'server/src/db/migrations/*.sql'];

export function findEmptyDatabase(): string | null {
  const database = join(emptyDatabasePath(), 'database');
  return existsSync(database) ? database : null;
}

/** `make` creates the database in the given directory. Several processes may do this at once. */
export async function makeEmptyDatabase(make: (directory: string) => Promise<void>): Promise<void> {
  if (findEmptyDatabase()) return;
  const path = emptyDatabasePath();
  const unfinished = `${path}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  await make(unfinished);
  try {
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!findEmptyDatabase()) throw error;
  }
  removeOthers(path);
}

function emptyDatabasePath(): string {
  const hash = createHash('sha256');
  for (const file of globSync(inputs, { cwd: root }).sort())
    hash.update(readFileSync(join(root, file)));
  return join(folder, prefix + hash.digest('hex').slice(0, 16));
}

/** Removes databases of earlier versions, but no unfinished ones: another process may make them. */
function removeOthers(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const isFinished = name.startsWith(prefix) && !name.includes('.');
    if (isFinished && join(folder, name) !== path)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
