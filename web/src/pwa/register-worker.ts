export interface VersionEvents {
  /** A new version is installed and waiting. `activate` resolves when it has taken over. */
  onReady(activate: () => Promise<void>): void;
  onFailed(): void;
}

/** After this time the worker is registered even if the app is busy. */
const fallbackMilliseconds = 30_000;
const checkMilliseconds = 60 * 60_000;

/** Registers the service worker when the app is idle, so the first page is not slowed. */
export function registerWhenIdle(isBusy: () => boolean, events: VersionEvents): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  let isDone = false;
  const registerOnce = () => {
    if (isDone) return;
    isDone = true;
    void register(events);
  };
  setTimeout(registerOnce, fallbackMilliseconds);
  if (document.readyState === 'complete') waitForIdle(isBusy, registerOnce);
  else addEventListener('load', () => waitForIdle(isBusy, registerOnce), { once: true });
}

/** Idle: the browser has spare time and no page is being opened. */
function waitForIdle(isBusy: () => boolean, then: () => void): void {
  const whenIdle =
    'requestIdleCallback' in window
      ? requestIdleCallback
      : (act: () => void) => setTimeout(act, 200);
  whenIdle(() => {
    if (isBusy()) setTimeout(() => waitForIdle(isBusy, then), 100);
    else then();
  });
}

async function register(events: VersionEvents): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    watch(registration, events);
    setInterval(() => void registration.update().catch(() => {}), checkMilliseconds);
  } catch {
    // Offline or disabled in this browser; the app works without.
  }
}

/** A first installation replaces nothing, so it is not reported. */
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
  // An update may have begun before the app was idle.
  follow();
  registration.addEventListener('updatefound', follow);
}

/** Another tab may have activated it before. */
function activate(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.state !== 'installed') resolve();
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
    worker.postMessage('activate');
  });
}
