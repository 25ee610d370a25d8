import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStore } from '../domains/files/port.ts';
import { absentAs } from '../lib/absent-as.ts';
import { unfinishedFiles } from './unfinished-files.ts';

/** What is made of so few bytes is thrown away while it is young: a download of 200 MB adds 20 MB to the process, and 130 with pieces of a megabyte. */
const chunkBytes = 64 * 1024;

/** Files in folders of the data directory. A file gets its name when it is whole. */
export function diskFiles(directory: string): FileStore {
  const pathOf = (key: string) => join(directory, 'kept', key);
  return {
    ...unfinishedFiles(join(directory, 'unfinished')),
    chunkBytes,
    async store(path, key) {
      await mkdir(dirname(pathOf(key)), { recursive: true, mode: 0o700 });
      await rename(path, pathOf(key));
    },
    open: (key) => openWhenThere(pathOf(key)),
    readRange: (key, from, to) => readRange(pathOf(key), from, to),
    fetch: async (key) => ({ path: pathOf(key), [Symbol.asyncDispose]: async () => {} }),
    remove: (key) => rm(pathOf(key), { recursive: true, force: true }),
    unchangedSince: (instant) => unchangedSince(join(directory, 'kept'), instant),
  };
}

/** An absent file is told here, where it can still be answered, and not in the middle of an answer. */
async function openWhenThere(path: string): Promise<Readable> {
  const file = await open(path);
  await file.close();
  return createReadStream(path);
}

async function readRange(path: string, from: number, to: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(to - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    if (bytesRead < buffer.length) throw new Error('A kept file is shorter than its index says.');
    return buffer;
  } finally {
    await file.close();
  }
}

async function* unchangedSince(kept: string, instant: Date): AsyncGenerator<string> {
  for (const folder of await namesIn(kept)) {
    const names = await namesIn(join(kept, folder));
    for (const key of names.length ? names.map((name) => `${folder}/${name}`) : [folder]) {
      if (await isOlder(join(kept, key), instant)) yield key;
    }
  }
}

/** What goes away while it is looked at was somebody else’s to remove. */
async function namesIn(path: string): Promise<string[]> {
  return (await absentAs([], readdir(path))).toSorted();
}

async function isOlder(path: string, instant: Date): Promise<boolean> {
  const found = await absentAs(null, stat(path));
  return found !== null && found.mtime < instant;
}
