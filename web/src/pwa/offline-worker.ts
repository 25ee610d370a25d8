/// <reference lib="webworker" />

/**
 * Caches the shell of the app, so that it opens without a connection: the page, its scripts and
 * styles. Answers of the API are never cached, so no personal data is. The build inserts the list
 * of files and their hash.
 */
export type {};

declare const self: ServiceWorkerGlobalScope;
declare const shellFiles: readonly string[];
declare const shellVersion: string;

const shellCache = `shell-${shellVersion}`;
/** Runtime settings are the same for everyone, and the app cannot start without them. */
const settingsCache = 'settings';
const settingsPath = '/config.prod.json';

self.addEventListener('install', (event) => {
  event.waitUntil(cacheShell());
});

/** The previous version stays, because open pages still fetch its parts. */
self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldShells().then(() => self.clients.claim()));
});

/** The page sends this after asking the person. */
self.addEventListener('message', (event) => {
  if (event.data === 'activate') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname === settingsPath) event.respondWith(networkFirst(request));
  else if (request.mode === 'navigate' && isPage(pathname)) {
    event.respondWith(cacheFirst(new Request('/')));
    event.waitUntil(refreshPage());
  } else if (pathname.startsWith('/assets/') || shellFiles.includes(pathname))
    event.respondWith(cacheFirst(request));
});

async function cacheShell(): Promise<void> {
  await (await caches.open(shellCache)).addAll(['/', ...shellFiles]);
  await (await caches.open(settingsCache)).add(settingsPath);
}

/** Paths of the API, of emailed links and of files are not pages of the app. */
function isPage(pathname: string): boolean {
  return (
    !/^\/(api|dev|webhooks|health|metrics)(\/|$)/.test(pathname) &&
    !(pathname.split('/').at(-1) ?? '').includes('.')
  );
}

/**
 * Looks in this version’s cache first, then in those of other versions, whose files have other
 * names.
 */
async function cacheFirst(request: Request): Promise<Response> {
  const own = await (await caches.open(shellCache)).match(request);
  return own ?? (await caches.match(request)) ?? fetch(request);
}

/** A server that is down may still have a proxy, whose answer is no setting. */
async function networkFirst(request: Request): Promise<Response> {
  const cache = await caches.open(settingsCache);
  const fresh = await fetch(request).catch(() => Response.error());
  if (fresh.ok) await cache.put(settingsPath, fresh.clone());
  return fresh.ok ? fresh : ((await cache.match(settingsPath)) ?? fresh);
}

/**
 * Settings of the server change the headers of the page, such as what it may load, without another
 * version of the app.
 */
async function refreshPage(): Promise<void> {
  const cache = await caches.open(shellCache);
  const [cached, fresh] = await Promise.all([cache.match('/'), fetch('/').catch(() => null)]);
  if (!fresh?.ok || !cached) return;
  if ((await fresh.clone().text()) === (await cached.text())) await cache.put('/', fresh);
}

async function deleteOldShells(): Promise<void> {
  const shells = (await caches.keys()).filter(
    (name) => name.startsWith('shell-') && name !== shellCache,
  );
  // Caches are listed oldest first.
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
}
