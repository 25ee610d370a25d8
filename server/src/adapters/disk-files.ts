import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStore } from '../domains/files/port.ts';
import { absentAs } from '../lib/failed-work.ts';

/** Files being written on this machine, for any store. */
export function temporaryFiles(
  directory: string,
): Pick<FileStore, 'temporaryPath' | 'discard' | 'sweep'> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return {
    temporaryPath: () => join(directory, randomUUID()),
    discard: (path) => rm(path, { force: true }),
    async sweep(instant) {
      for (const name of await readdir(directory)) {
        const path = join(directory, name);
        if (await isOlder(path, instant)) await rm(path, { force: true });
      }
    },
  };
}

/** Small chunks are freed early: a download of 200 MB adds 20 MB of memory, and 130 with 1 MB. */
const chunkBytes = 64 * 1024;

/** Files in folders of the data directory. A file gets its name when it is complete. */
export function diskFiles(directory: string): FileStore {
  const pathOf = (key: string) => join(directory, 'kept', key);
  return {
    ...temporaryFiles(join(directory, 'unfinished')),
    chunkBytes,
    async store(path, key) {
      await mkdir(dirname(pathOf(key)), { recursive: true, mode: 0o700 });
      await rename(path, pathOf(key));
    },
    open: (key) => openExisting(pathOf(key)),
    readRange: (key, from, to) => readRange(pathOf(key), from, to),
    fetch: async (key) => ({ path: pathOf(key), [Symbol.asyncDispose]: async () => {} }),
    remove: (key) => rm(pathOf(key), { recursive: true, force: true }),
    unchangedSince: (instant) => unchangedSince(join(directory, 'kept'), instant),
    check: async () => {},
  };
}

/** A missing file fails here, where a refusal can still be sent, and not when it is read. */
async function openExisting(path: string): Promise<Readable> {
  const file = await open(path);
  return file.createReadStream();
}

async function readRange(path: string, from: number, to: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(to - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    if (bytesRead < buffer.length) throw new Error('A stored file is shorter than its index says.');
    return buffer;
  } finally {
    await file.close();
  }
}

async function* unchangedSince(root: string, instant: Date): AsyncGenerator<string> {
  for (const folder of await namesIn(root)) {
    const names = await namesIn(join(root, folder));
    for (const key of names.length ? names.map((name) => `${folder}/${name}`) : [folder]) {
      if (await isOlder(join(root, key), instant)) yield key;
    }
  }
}

/** Files may be deleted while they are listed. */
async function namesIn(path: string): Promise<string[]> {
  return (await absentAs([], readdir(path))).toSorted();
}

async function isOlder(path: string, instant: Date): Promise<boolean> {
  const found = await absentAs(null, stat(path));
  return found !== null && found.mtime < instant;
}
