import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirectoryInUse, DataDirectoryLock } from '../../src/db/embedded/data-lock.ts';
import { EmbeddedDatabase } from '../../src/db/embedded/embedded-database.ts';
import { findEmptyDatabase } from '../../src/db/embedded/empty-database.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rowmill-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const lockFile = join(import.meta.dirname, '../../src/db/embedded/data-lock.ts');

/** A process that takes the lock and keeps it. */
function otherHolder() {
  const program = `import { DataDirectoryLock } from ${JSON.stringify(lockFile)};
    const lock = DataDirectoryLock.take(${JSON.stringify(directory)}); console.log('held'); setInterval(() => lock, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const isHeld = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  const hasEnded = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return { child, isHeld, hasEnded };
}

describe('the data directory', () => {
  it('has one holder, which the error of the next one names', async () => {
    const other = otherHolder();
    await other.isHeld;
    expect(() => DataDirectoryLock.take(directory)).toThrow(DataDirectoryInUse);
    expect(() => DataDirectoryLock.take(directory)).toThrow(`process ${other.child.pid}`);
    other.child.kill('SIGKILL');
    await other.hasEnded;
  });

  it('is free at once when its holder is killed', async () => {
    const other = otherHolder();
    await other.isHeld;
    other.child.kill('SIGKILL');
    await other.hasEnded;
    using lock = DataDirectoryLock.take(directory);
    expect(lock).toBeDefined();
  });

  it('names a damaged lock file and what to do about it', () => {
    writeFileSync(join(directory, 'lock.db'), 'this is no database file at all'.repeat(40));
    expect(() => DataDirectoryLock.take(directory)).toThrow(/lock\.db is damaged.*delete lock\.db/);
  });
});

describe('a database directory that cannot be used', () => {
  const damages: [string, (database: string) => void, RegExp][] = [
    ['lacks PG_VERSION', (at) => rmSync(join(at, 'PG_VERSION')), /PG_VERSION is missing/],
    [
      'has another major version',
      (at) => writeFileSync(join(at, 'PG_VERSION'), '15\n'),
      /written by PostgreSQL 15/,
    ],
    [
      'has a truncated control file',
      (at) => truncateSync(join(at, 'global/pg_control'), 100),
      /pg_control is missing or incomplete/,
    ],
    [
      'has an empty control file of the right size',
      (at) => writeFileSync(join(at, 'global/pg_control'), Buffer.alloc(8192)),
      /pg_control is damaged/,
    ],
  ];

  it.for(damages)('is refused and left unchanged when it %s', async ([, damage, message]) => {
    const database = join(directory, 'database');
    copyEmptyDatabase(database);
    damage(database);
    const before = hashOf(database);
    await expect(EmbeddedDatabase.open(database)).rejects.toThrow(message);
    expect(hashOf(database)).toBe(before);
  });

  it('is opened when it is complete', async () => {
    copyEmptyDatabase(join(directory, 'database'));
    await using database = await EmbeddedDatabase.open(join(directory, 'database'));
    await expect(database.query('select 1 as one', [])).resolves.toMatchObject({
      rows: [{ one: 1 }],
    });
  });
});

function copyEmptyDatabase(to: string): void {
  cpSync(findEmptyDatabase() ?? '', to, { recursive: true });
}

/** Names and contents of all files. */
function hashOf(folder: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    hash.update(path);
    if (entry.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}
