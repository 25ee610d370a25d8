import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { World } from './world.ts';

const folderOf = (world: World) => join(world.app.ctx.config.dataDirectory, 'files');

/** The temporary files that are there once everything that is being closed is closed. */
export async function unfinishedFiles(world: World): Promise<string[]> {
  const list = () => readdirSync(join(folderOf(world), 'unfinished'));
  await expect.poll(list).toEqual([]);
  return list();
}

/** One folder for each sheet. */
export function keptFiles(world: World): string[] {
  const kept = join(folderOf(world), 'kept');
  return existsSync(kept) ? readdirSync(kept) : [];
}

export function filesOfSheet(world: World, id: string): string[] {
  return readdirSync(join(folderOf(world), 'kept', id)).toSorted();
}

/** Open files and sockets of this process, as the system counts them. */
export function openHandles(): number {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
}
