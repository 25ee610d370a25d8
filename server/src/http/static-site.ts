import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const year = 31_536_000_000;

/**
 * Serves the built site. Files under /assets carry a hash in their names and never change; everything else is asked for
 * anew. Gives back the page's file for all addresses of the app.
 */
export async function serveSite(
  app: FastifyInstance,
  directory: string,
): Promise<(path: string) => string | null> {
  const index = join(directory, 'index.html');
  if (!existsSync(index))
    throw new Error(`The site is not built: there is no ${index}. Run "npm run build".`);
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/') || path.includes('\\assets\\');
      reply.header(
        'cache-control',
        isHashed ? `public, max-age=${year / 1000}, immutable` : 'no-cache',
      );
    },
  });
  return (path) => (isAppPath(path) ? 'index.html' : null);
}

/** A path whose last part has a dot asks for a file, and one under /api for a call: neither is a page of the app. */
function isAppPath(path: string): boolean {
  return (
    !path.startsWith('/api/') &&
    !path.startsWith('/assets/') &&
    !(path.split('/').at(-1) ?? '').includes('.')
  );
}
