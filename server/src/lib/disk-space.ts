import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

const megabyte = 1_000_000;
/** Batches pause below this, so that answers in flight are stored, and resume above the other. */
const fullBelow = 64 * megabyte;
const recoveredAbove = 128 * megabyte;
/** The embedded database hangs without space for the next log segment of 16 MiB. */
const databaseNeeds = 32 * megabyte;

export function diskSpaceOf(directory: string): 'full' | 'low' | 'enough' {
  const free = freeBytes(directory);
  if (free < fullBelow) return 'full';
  return free > recoveredAbove ? 'enough' : 'low';
}

/** Whether this many more bytes leave enough space for the answers of batches. */
export async function hasSpaceFor(bytes: number, directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize - bytes >= fullBelow;
}

export function hasSpaceForDatabase(directory: string): boolean {
  return freeBytes(directory) > databaseNeeds;
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
