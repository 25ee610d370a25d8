import { existsSync } from 'node:fs';
import { constants, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Only the process that has the embedded database open can copy it. Another one asks for a copy
 * with a file in the data directory, which the first looks for every second.
 */
const pathsIn = (dataDirectory: string) => ({
  request: join(dataDirectory, 'copy-request'),
  unfinished: join(dataDirectory, 'copy.unfinished'),
  copy: join(dataDirectory, 'copy'),
  failure: join(dataDirectory, 'copy-failed'),
});
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
  await writeFile(request, '', { flag: 'wx' }).catch((cause) => {
    throw new CopyFailed(
      `Another backup of ${dataDirectory} is being made. If there is none, delete ${request} and try again.`,
      { cause },
    );
  });
  const end = async () => {
    for (const path of [request, copy, failure]) await rm(path, { recursive: true, force: true });
  };
  try {
    await rm(copy, { recursive: true, force: true });
    while (!existsSync(copy)) {
      if (existsSync(failure)) throw new CopyFailed('The database could not be copied: no space?');
      if (!isHeld()) throw new CopyFailed('Rowmill was stopped during the backup. Try again.');
      await wait(pollMilliseconds);
    }
  } catch (error) {
    await end();
    throw error;
  }
  return { directory: copy, [Symbol.asyncDispose]: end };
}

export function isCopyRequested(dataDirectory: string): boolean {
  const { request, copy, failure } = pathsIn(dataDirectory);
  return existsSync(request) && !existsSync(copy) && !existsSync(failure);
}

/** Runs right after a checkpoint and while no statement does, so the files are complete. */
export async function copyForRequest(dataDirectory: string): Promise<void> {
  const { unfinished, copy, failure } = pathsIn(dataDirectory);
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await cp(join(dataDirectory, 'database'), join(unfinished, 'database'), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    });
    await rename(unfinished, copy);
  } catch {
    await rm(unfinished, { recursive: true, force: true });
    await writeFile(failure, '').catch(() => {});
  }
}
