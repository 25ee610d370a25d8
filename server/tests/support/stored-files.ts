import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestServer } from './test-server.ts';

const folderOf = (server: TestServer) => join(server.app.ctx.config.dataDirectory, 'files');

const unfinishedFolder = (server: TestServer) => join(folderOf(server), 'unfinished');

/** Uploads of this size that are received, and wait for their import or are being read. */
export function receivedFiles(server: TestServer, bytes: number): string[] {
  const folder = unfinishedFolder(server);
  return readdirSync(folder).filter(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes,
  );
}

/** Temporary files that are left after open ones are closed. */
export async function unfinishedFiles(server: TestServer): Promise<string[]> {
  const list = () => readdirSync(unfinishedFolder(server));
  await expect.poll(list).toEqual([]);
  return list();
}

/** The folders of stored sheets. */
export function storedFiles(server: TestServer): string[] {
  const folder = join(folderOf(server), 'kept');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** This many sheets, and nothing unfinished. */
export async function expectStored(server: TestServer, sheets: number): Promise<void> {
  expect(await unfinishedFiles(server)).toEqual([]);
  expect(storedFiles(server)).toHaveLength(sheets);
}

export function filesOfSheet(server: TestServer, id: string): string[] {
  return readdirSync(join(folderOf(server), 'kept', id)).toSorted();
}

/** Takes the stored files of a sheet away, and returns how to bring them back. */
export function hideFilesOfSheet(server: TestServer, id: string): () => void {
  const [shown, hidden] = ['kept', 'unfinished'].map((name) => join(folderOf(server), name, id));
  const move = (from = '', to = '') => renameSync(from, to);
  move(shown, hidden);
  return () => move(hidden, shown);
}

/** Open files and sockets of this process. */
export function openHandles(): number {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
}
