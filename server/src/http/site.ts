import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type SiteSettings, settingsPath, siteSettings } from '@rowmill/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { programVersion } from '../version.ts';

const yearSeconds = 31_536_000;

/** The browser's runtime settings. Everyone can read them, so they hold no secret. */
export function addSiteSettings(
  app: FastifyInstance,
  config: Config,
  demoPeople: NonNullable<SiteSettings['demo']>['people'],
): void {
  const settings: SiteSettings = {
    environment: 'prod',
    version: programVersion,
    hosts: config.hosts,
    operator: config.operator,
    limits: {
      upload_bytes: config.sheets.bytes,
      sheet_rows: config.sheets.rows,
      sheet_columns: config.sheets.columns,
    },
    payments: {
      stripe: { publishable_key: config.payments.stripe?.publishableKey ?? null },
      paypal: { client_id: config.payments.paypal?.clientId ?? null },
      test_cards: config.demo && !config.payments.stripe,
      test_wallet: config.demo && !config.payments.paypal,
    },
    demo: config.demo ? { people: demoPeople } : null,
  };
  // The operator has more settings, such as the path of a font, than pages show.
  const shown = siteSettings.parse(settings);
  app.get(settingsPath, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(shown),
  );
}

/**
 * Serves the built site. Files under /assets have a hash in their name and are cached forever;
 * others are revalidated. Returns the file for an address of the app, or null.
 */
export async function serveSite(
  app: FastifyInstance,
  directory: string,
): Promise<(path: string) => string | null> {
  const index = join(directory, 'index.html');
  if (!existsSync(index))
    throw new Error(`The site is not built: there is no ${index}. Run "npm run build".`);
  app.addHook('onRequest', async ({ headers }) => {
    for (const name of ['if-match', 'if-unmodified-since']) delete headers[name];
  });
  await app.register(fastifyStatic, {
    root: directory,
    // Only the files that are there now have routes, so that no address reaches the file system.
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // Ranges and preconditions that cannot be met would be errors without a refusal.
    acceptRanges: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/') || path.includes('\\assets\\');
      reply.header(
        'cache-control',
        isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
      );
    },
  });
  return (path) => {
    if (isAppPath(path)) return 'index.html';
    // An upgrade may build the site while an older process still serves it.
    return laterAsset.test(path) && existsSync(join(directory, path)) ? path.slice(1) : null;
  };
}

const laterAsset = /^\/assets\/\w[\w.-]{0,200}$/;

/** Paths under /api are calls, a last part with a dot is a file, all others are pages. */
function isAppPath(path: string): boolean {
  return (
    !path.startsWith('/api/') &&
    !path.startsWith('/assets/') &&
    !(path.split('/').at(-1) ?? '').includes('.')
  );
}
