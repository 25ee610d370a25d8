import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { StartRefused } from '../lib/start-refused.ts';
import { makeDataDirectory } from './start-needs.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rowmill-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('makes the data directory with the folders above it, for its own user', () => {
  const directory = join(temporaryFolder(), 'a', 'b');
  makeDataDirectory(directory);
  makeDataDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

it('refuses a data directory that is a file or a link to nothing', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'missing'), join(folder, 'link'));
  for (const path of ['file', 'file/data', 'link', 'link/data'])
    expect(() => makeDataDirectory(join(folder, path)), path).toThrow(StartRefused);
});

it.runIf(existsSync('/proc/self'))('refuses a data directory where no folder can be made', () => {
  expect(() => makeDataDirectory('/proc/rowmill/data')).toThrow(/another DATA_DIR/);
});
