import { join } from 'node:path';
import { diskFiles } from './adapters/disk-files.ts';
import type { Config } from './config/config.ts';
import type { FileStore } from './domains/files/port.ts';

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
