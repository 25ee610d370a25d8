import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestServer } from './test-server.ts';

const folderOf = (server: TestServer) => join(server.app.ctx.config.dataDirectory, 'files');

/** The temporary files that are there once everything that is being closed is closed. */
export async function unfinishedFiles(server: TestServer): Promise<string[]> {
  const list = () => readdirSync(join(folderOf(server), 'unfinished'));
  await expect.poll(list).toEqual([]);
  return list();
}

/** One folder for each sheet. */
export function storedFiles(server: TestServer): string[] {
  const kept = join(folderOf(server), 'kept');
  return existsSync(kept) ? readdirSync(kept) : [];
}

export function filesOfSheet(server: TestServer, id: string): string[] {
  return readdirSync(join(folderOf(server), 'kept', id)).toSorted();
}

/** Open files and sockets of this process, as the system counts them. */
export function openHandles(): number {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
}
