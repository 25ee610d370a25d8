import { existsSync, readFileSync } from 'node:fs';
import { constants, cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasSpaceFor } from '../../lib/disk-space.ts';
import { DataDirectoryInUse, DataDirectoryLock } from './data-lock.ts';

/**
 * Only the process that has the embedded database open can copy it. Another one asks for a copy
 * with a file in this folder of the data directory, which the first looks for every second. The
 * folder's lock ends with the process that asks, so a killed backup is in the way of no other.
 */
export const copyFolder = (dataDirectory: string): string => join(dataDirectory, 'copying');
const pathsIn = (dataDirectory: string) => {
  const folder = copyFolder(dataDirectory);
  return {
    request: join(folder, 'request'),
    unfinished: join(folder, 'copy.unfinished'),
    copy: join(folder, 'copy'),
    failure: join(folder, 'failed'),
  };
};
const pollMilliseconds = 100;

export class CopyFailed extends Error {
  override name = 'CopyFailed';
}

/** A copy in a directory that disposing deletes. `isHeld`: whether the product still runs. */
export async function requestCopy(
  dataDirectory: string,
  isHeld: () => boolean,
): Promise<AsyncDisposable & { directory: string }> {
  const { request, copy, failure } = pathsIn(dataDirectory);
  await using stack = new AsyncDisposableStack();
  stack.use(lockCopies(dataDirectory));
  const clear = async () => {
    for (const path of [request, copy, failure]) await rm(path, { recursive: true, force: true });
  };
  stack.defer(clear);
  await clear();
  await writeFile(request, '');
  while (!existsSync(copy)) {
    if (existsSync(failure))
      throw new CopyFailed(`The database could not be copied: ${readFileSync(failure, 'utf8')}`);
    if (!isHeld()) throw new CopyFailed('Rowmill was stopped during the backup. Try again.');
    await wait(pollMilliseconds);
  }
  const held = stack.move();
  return { directory: copy, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

function lockCopies(dataDirectory: string): DataDirectoryLock {
  try {
    return DataDirectoryLock.take(copyFolder(dataDirectory));
  } catch (cause) {
    if (!(cause instanceof DataDirectoryInUse)) throw cause;
    throw new CopyFailed(`Another backup of ${dataDirectory} is being made.`, { cause });
  }
}

export function isCopyRequested(dataDirectory: string): boolean {
  const { request, copy, failure } = pathsIn(dataDirectory);
  return existsSync(request) && !existsSync(copy) && !existsSync(failure);
}

/** Runs right after a checkpoint and while no statement does, so the files are complete. */
export async function copyForRequest(dataDirectory: string): Promise<void> {
  const { unfinished, copy, failure } = pathsIn(dataDirectory);
  // The product would end on a full disk.
  const assertSpace = async (source: string) => {
    if (await hasSpaceFor((await stat(source)).size, dataDirectory)) return true;
    throw new Error(`the disk of ${dataDirectory} has no space for it.`);
  };
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await cp(join(dataDirectory, 'database'), join(unfinished, 'database'), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: assertSpace,
    });
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    await writeFile(failure, (error as Error).message).catch(() => {});
  }
}
