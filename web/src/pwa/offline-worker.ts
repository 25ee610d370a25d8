/// <reference lib="webworker" />

/**
 * Keeps the shell of the app, so that it opens without a connection: the page, its script and styles, nothing else. No
 * answer of the API is ever kept, so no person's data is. The build puts the list of files and their hash in.
 */
export type {};

declare const self: ServiceWorkerGlobalScope;
declare const shellFiles: readonly string[];
declare const shellVersion: string;

const shellCache = `shell-${shellVersion}`;
/** The operator's settings are the same for everybody, and without them the app cannot start. */
const settingsCache = 'settings';
const settingsPath = '/config.prod.json';

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell());
});

/** The version before stays, for pages that were opened with it still fetch its parts. */
self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldShells().then(() => self.clients.claim()));
});

/** The page says when, after it has asked the person. */
self.addEventListener('message', (event) => {
  if (event.data === 'activate') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname === settingsPath) event.respondWith(freshOrKept(request));
  else if (request.mode === 'navigate' && isPage(pathname))
    event.respondWith(keptOrFresh(new Request('/')));
  else if (pathname.startsWith('/assets/') || shellFiles.includes(pathname))
    event.respondWith(keptOrFresh(request));
});

async function keepShell(): Promise<void> {
  await (await caches.open(shellCache)).addAll(['/', ...shellFiles]);
  await (await caches.open(settingsCache)).add(settingsPath);
}

/** Addresses of the API, of mails and of files are not pages of the app. */
function isPage(pathname: string): boolean {
  return (
    !/^\/(api|dev|webhooks|health|metrics)(\/|$)/.test(pathname) &&
    !(pathname.split('/').at(-1) ?? '').includes('.')
  );
}

/** The own version first: a page of one version must not get parts of another, unless it asks for them by name. */
async function keptOrFresh(request: Request): Promise<Response> {
  const own = await (await caches.open(shellCache)).match(request);
  return own ?? (await caches.match(request)) ?? fetch(request);
}

async function freshOrKept(request: Request): Promise<Response> {
  const cache = await caches.open(settingsCache);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(settingsPath, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(settingsPath);
    if (kept) return kept;
    throw error;
  }
}

async function forgetOldShells(): Promise<void> {
  const shells = (await caches.keys()).filter(
    (name) => name.startsWith('shell-') && name !== shellCache,
  );
  // Names come in the order of their making.
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
}
