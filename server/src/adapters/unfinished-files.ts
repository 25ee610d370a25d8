import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '../domains/files/port.ts';

/** Files of this machine that are being made, wherever they will be kept. */
export function unfinishedFiles(
  directory: string,
): Pick<FileStore, 'temporaryPath' | 'discard' | 'sweep'> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return {
    temporaryPath: () => join(directory, randomUUID()),
    discard: (path) => rm(path, { force: true }),
    async sweep() {
      for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
    },
  };
}
