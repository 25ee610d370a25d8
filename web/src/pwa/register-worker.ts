/** What the page hears of new versions. */
export interface VersionEvents {
  /** A new version is installed and waits. `activate` lets it take over; the promise ends when it has. */
  onReady(activate: () => Promise<void>): void;
  onFailed(): void;
}

/** However busy the app stays, after this time the worker is registered all the same. */
const fallbackMilliseconds = 30_000;
const lookMilliseconds = 60 * 60_000;

/** Registers the service worker when the app has come to rest, so that it never competes with the first page. */
export function registerWhenStable(isBusy: () => boolean, events: VersionEvents): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  let isDone = false;
  const registerOnce = () => {
    if (isDone) return;
    isDone = true;
    void register(events);
  };
  setTimeout(registerOnce, fallbackMilliseconds);
  if (document.readyState === 'complete') waitForRest(isBusy, registerOnce);
  else addEventListener('load', () => waitForRest(isBusy, registerOnce), { once: true });
}

/** At rest: the browser has an idle moment, and nothing is being opened. */
function waitForRest(isBusy: () => boolean, then: () => void): void {
  const whenIdle =
    'requestIdleCallback' in window
      ? requestIdleCallback
      : (act: () => void) => setTimeout(act, 200);
  whenIdle(() => {
    if (isBusy()) setTimeout(() => waitForRest(isBusy, then), 100);
    else then();
  });
}

async function register(events: VersionEvents): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    watch(registration, events);
    setInterval(() => void registration.update().catch(() => {}), lookMilliseconds);
  } catch {
    // Offline, or switched off in this browser: the app works without.
  }
}

/** The first installation is no news: there was nothing before that a person could be working in. */
function watch(registration: ServiceWorkerRegistration, events: VersionEvents): void {
  const ready = (worker: ServiceWorker) => {
    if (navigator.serviceWorker.controller) events.onReady(() => activate(worker));
  };
  let followed: ServiceWorker | null = null;
  const follow = () => {
    const worker = registration.installing;
    if (!worker || worker === followed) return;
    followed = worker;
    let isInstalled = false;
    worker.addEventListener('statechange', () => {
      if (worker.state === 'installed') {
        isInstalled = true;
        ready(worker);
      }
      if (worker.state === 'redundant' && !isInstalled && navigator.serviceWorker.controller)
        events.onFailed();
    });
  };
  if (registration.waiting) ready(registration.waiting);
  // The browser may have begun with it before the app came to rest.
  follow();
  registration.addEventListener('updatefound', follow);
}

function activate(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
    worker.postMessage('activate');
  });
}
