import { join } from 'node:path';
import type { Logger } from 'pino';
import { diskFiles } from './adapters/disk-files.ts';
import type { Config } from './config/config.ts';
import type { FileStore } from './domains/files/port.ts';
import { StartRefused } from './lib/start-refused.ts';
import { Misconfigured } from './lib/unavailable.ts';

/** A wrong setting ends the start. While the store does not answer, only files have to wait. */
export async function checkFiles(files: FileStore, log: Logger): Promise<void> {
  try {
    await files.check();
  } catch (error) {
    if (error instanceof Misconfigured) throw new StartRefused(error.message, { cause: error });
    log.error({ err: error }, 'the file store does not answer');
  }
}

/** The S3 library is large, so it is only loaded when a bucket is configured. */
export async function openFiles(
  { bucket, dataDirectory }: Pick<Config, 'bucket' | 'dataDirectory'>,
  stack: AsyncDisposableStack,
): Promise<FileStore> {
  const directory = join(dataDirectory, 'files');
  if (!bucket) return diskFiles(directory);
  const { bucketFiles } = await import('./adapters/bucket-files.ts');
  return stack.use(bucketFiles(bucket, join(directory, 'unfinished')));
}
