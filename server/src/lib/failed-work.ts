import type { Logger } from 'pino';

/** Returns `absent` when the file or folder does not exist; other errors are thrown. */
export async function absentAs<T, A>(absent: A, work: Promise<T>): Promise<T | A> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw error;
  }
}

/** Waits for work. If it fails, what was done for it is undone before its error is thrown. */
export async function orUndo<T>(work: Promise<T>, undo: () => unknown): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await undo();
    throw error;
  }
}

/** For work that no one waits for: a failure is logged. */
export async function orLog(
  log: Pick<Logger, 'error'>,
  work: () => Promise<unknown>,
  failure: string,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error }, failure);
  }
}
