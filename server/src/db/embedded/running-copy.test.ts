import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyFolder, copyForRequest } from './running-copy.ts';

it('copies nothing that would fill the disk, and says so', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-copy-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'database'));
  mkdirSync(copyFolder(directory));
  const file = join(directory, 'database/table');
  writeFileSync(file, '');
  const { bavail, bsize } = statfsSync(directory);
  // Without content it takes no space itself.
  truncateSync(file, bavail * bsize);
  await copyForRequest(directory);
  expect(readdirSync(copyFolder(directory))).toEqual(['failed']);
  expect(readFileSync(join(copyFolder(directory), 'failed'), 'utf8')).toContain('no space');
});
