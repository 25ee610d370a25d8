import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirectoryHeld, DataDirectoryLock } from '../../src/db/data-lock.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rowmill-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const lockFile = join(import.meta.dirname, '../../src/db/data-lock.ts');

/** A process that takes the lock, says so, and stays. */
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
  it('has one holder, who is named to the next', async () => {
    const other = otherHolder();
    await other.isHeld;
    expect(() => DataDirectoryLock.take(directory)).toThrow(DataDirectoryHeld);
    expect(() => DataDirectoryLock.take(directory)).toThrow(`process ${other.child.pid}`);
    other.child.kill('SIGKILL');
    await other.hasEnded;
  });

  it('is free at once when its holder was killed', async () => {
    const other = otherHolder();
    await other.isHeld;
    other.child.kill('SIGKILL');
    await other.hasEnded;
    using lock = DataDirectoryLock.take(directory);
    expect(lock).toBeDefined();
  });
});
