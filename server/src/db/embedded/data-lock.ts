import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartRefused } from '../../lib/start-refused.ts';
import { DataDirectoryDamaged } from './data-directory.ts';

/** SQLite's code for a file that is not an SQLite database. */
const notADatabase = 26;

/**
 * Two processes on one embedded database silently lose each other's commits, so only one may use
 * the data directory. SQLite's exclusive mode takes a lock of the operating system, which ends with
 * the process. The file beside it only names the holder in error messages.
 */
export class DataDirectoryLock implements Disposable {
  readonly #lock: DatabaseSync;

  private constructor(lock: DatabaseSync) {
    this.#lock = lock;
  }

  static take(directory: string): DataDirectoryLock {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
    const holderFile = join(directory, 'lock-holder.json');
    try {
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (cause) {
      lock.close();
      if ((cause as { errcode?: number }).errcode === notADatabase)
        throw new DataDirectoryDamaged(directory, 'the file lock.db is damaged', {
          remedy:
            'If no other Rowmill process uses this directory, delete lock.db and start again.',
          cause,
        });
      throw new DataDirectoryInUse(directory, readHolder(holderFile), { cause });
    }
    writeFileSync(
      holderFile,
      JSON.stringify({ pid: process.pid, since: new Date().toISOString() }),
    );
    return new DataDirectoryLock(lock);
  }

  [Symbol.dispose](): void {
    this.#lock.close();
  }
}

export class DataDirectoryInUse extends StartRefused {
  constructor(directory: string, holder: string, options?: ErrorOptions) {
    super(
      `The data directory ${directory} is in use by ${holder}. Stop that process, or start this one with another DATA_DIR.`,
      { ...options, exitCode: 1 },
    );
  }
}

function readHolder(file: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; since: string };
    return `process ${pid} (since ${new Date(since).toUTCString()})`;
  } catch {
    return 'another process';
  }
}
