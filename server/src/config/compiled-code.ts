import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { setForThreads } from './env.ts';

const folder = join(import.meta.dirname, '../../.cache/compiled');

/**
 * Node stores compiled code for later starts and threads: a start takes three quarters of the time.
 * Where the folder cannot be written, nothing is stored.
 */
export function storeCompiledCode(): void {
  enableCompileCache(folder);
  if (getCompileCacheDir()) setForThreads('NODE_COMPILE_CACHE', folder);
}
