import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { backUpOutside } from './backup/backup.ts';

const root = mkdtempSync(join(tmpdir(), 'rowmill-backup-command-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const data = join(root, 'data');
mkdirSync(data);
symlinkSync(data, join(root, 'link'));

function run(...args: string[]) {
  const program = join(import.meta.dirname, 'backup.ts');
  return spawnSync(process.execPath, ['--liftoff-only', program, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: data },
  });
}

describe('the command', () => {
  it('explains itself when asked to', () => {
    const { status, stdout, stderr } = run('backup', '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('npm run restore -- FOLDER');
  });

  it('explains itself instead of guessing what an option means', () => {
    const { status, stdout, stderr } = run('backup', '--into', join(root, 'one'));
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('npm run backup -- FOLDER');
  });

  it('writes no backup into the data directory', () => {
    const { status, stderr } = run('backup', join(data, 'one'));
    expect(status).toBe(1);
    expect(stderr).toContain(`${join(data, 'one')} is within the data directory`);
  });
});

describe('a backup', () => {
  const place = { database: { kind: 'embedded', directory: data }, dataDirectory: data } as const;
  const backUp = (folder: string) => backUpOutside({ ...place, bucket: null }, join(root, folder));

  it.each(['data', 'data/files/kept/one', 'data/..two', 'link/one/two'])(
    'is refused within the data directory: %s',
    async (folder) => {
      await expect(backUp(folder)).rejects.toThrow('within the data directory');
    },
  );

  it.each(['data-backup', '..two', 'data/../one'])('may be beside it: %s', async (folder) => {
    // There is nothing to back up.
    await expect(backUp(folder)).rejects.toThrow('holds no database');
  });
});
