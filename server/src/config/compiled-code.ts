import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { setForThreads } from './env.ts';

const folder = join(import.meta.dirname, '../../.cache/compiled');

/**
 * Node keeps the compiled code of a process that ends, so that later starts and threads neither strip types nor compile
 * it again: a start takes three quarters of the time. Where the folder cannot be written, nothing is kept.
 */
export function keepCompiledCode(): void {
  enableCompileCache(folder);
  if (getCompileCacheDir()) setForThreads('NODE_COMPILE_CACHE', folder);
}
