import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

const megabyte = 1_000_000;
/** Batches wait from here on, so that what is in flight can still be stored, and go on when there is room again. */
const fullBelow = 64 * megabyte;
const roomyAbove = 128 * megabyte;
/** The embedded database writes its log in pieces of 16 MiB; without room for the next one its thread turns round for ever. */
const least = 32 * megabyte;

export function isDiskFull(directory: string): boolean {
  return freeBytes(directory) < fullBelow;
}

/** Whether this many more bytes leave enough space for the answers of batches. */
export async function hasRoomFor(bytes: number, directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize - bytes >= fullBelow;
}

export function isDiskRoomy(directory: string): boolean {
  return freeBytes(directory) > roomyAbove;
}

export function hasRoomForDatabase(directory: string): boolean {
  return freeBytes(directory) > least;
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
