import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { testOnStage } from './support/fixtures.ts';
import { loadThroughWorker } from './support/load-through-worker.ts';
import { expectAccessible } from './support/screens.ts';
import { submitSignIn } from './support/sign-in.ts';
import type { StageOptions } from './support/stage.ts';

/** A copy of the built site, so that a test can publish a new version of its service worker. */
interface Site {
  directory: string;
  worker: string;
  original: string;
}

const test = testOnStage().extend<{ stageOptions: StageOptions }, { site: Site }>({
  site: [
    async ({ browserName: _ }, use) => {
      const directory = mkdtempSync(join(tmpdir(), 'rowmill-site-'));
      cpSync(join(import.meta.dirname, '../dist'), directory, { recursive: true });
      // The tests change only the plain file, so the compressed ones must not be served.
      for (const file of ['sw.js.br', 'sw.js.gz']) rmSync(join(directory, file), { force: true });
      const worker = join(directory, 'sw.js');
      await use({ directory, worker, original: readFileSync(worker, 'utf8') });
      rmSync(directory, { recursive: true });
    },
    { scope: 'worker' },
  ],
  stageOptions: ({ site }, use) => use({ siteDirectory: site.directory }),
  context: async ({ context, site }, use) => {
    writeFileSync(site.worker, site.original);
    await context.addInitScript(noteRegistration);
    await use(context);
  },
});

test.use({ serviceWorkers: 'allow' });

/** Runs in the page. The app listens for new versions only after the registration. */
function noteRegistration() {
  const { serviceWorker } = navigator;
  const register = serviceWorker?.register.bind(serviceWorker);
  if (!register) return;
  serviceWorker.register = async (...given) => {
    Object.assign(window, { isRegistering: true });
    const registration = await register(...given);
    Object.assign(window, { isRegistered: true });
    return registration;
  };
}

async function openWithWorker(page: Page): Promise<void> {
  await page.goto('/auth');
  await loadThroughWorker(page);
  await page.waitForFunction(() => 'isRegistered' in window, null, { timeout: 60_000 });
}

async function publish(page: Page, site: Site, text: string): Promise<void> {
  writeFileSync(site.worker, text);
  await page.evaluate(async () => {
    const found = await navigator.serviceWorker.getRegistration();
    // The first update may join a check that the browser began before the new version was
    // published.
    do await found?.update().catch(() => {});
    while (found && !found.installing && !found.waiting);
  });
}

const nextVersion = ({ original }: Site) =>
  original.replace(/shellVersion='[^']+'/, "shellVersion='next'");

test('opens offline, says so and caches no response of the API', async ({ page, context }) => {
  await openWithWorker(page);
  await submitSignIn(page, 'client@demo.test');
  await expect(page.getByText('Available: 1,000 submissions')).toBeVisible();
  await context.setOffline(true);
  await page.goto('/dashboard');
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  const kept = await page.evaluate(async () => {
    const urls = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) urls.push(request.url);
    return urls;
  });
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.filter((url) => new URL(url).pathname.startsWith('/api/'))).toEqual([]);
  await context.setOffline(false);
  // A proxy whose server is down.
  await context.route('**/*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('follows changed headers of the page without a new version', async ({ page, context }) => {
  await openWithWorker(page);
  const answer = { status: 200, header: 'first', more: '' };
  await context.route('**/', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      status: answer.status,
      headers: { ...response.headers(), 'x-setting': answer.header },
      body: (await response.text()) + answer.more,
    });
  });
  const seen = new Set<string | undefined>();
  /** Of the stored page, which is refreshed after it was opened. */
  const open = async () => {
    const refreshed = context.waitForEvent('response', (response) => {
      const request = response.request();
      return request.serviceWorker() !== null && new URL(request.url()).pathname === '/';
    });
    const header = (await page.reload())?.headers()['x-setting'];
    await refreshed;
    seen.add(header);
    return header;
  };
  await expect.poll(open).toBe('first');
  // The page of another version, which has other scripts, and the answer of a proxy.
  for (const other of [{ more: '<!-- other -->' }, { status: 502, more: '' }]) {
    Object.assign(answer, { header: 'other', ...other });
    for (let count = 0; count < 2; count++) await open();
  }
  Object.assign(answer, { status: 200, header: 'second' });
  await expect.poll(open).toBe('second');
  expect([...seen]).toEqual([undefined, 'first', 'second']);
});

test('asks when a new version is ready and reloads for it on OK', async ({ page, site }) => {
  await openWithWorker(page);
  await publish(page, site, nextVersion(site));
  const dialog = page.getByRole('dialog', { name: 'App Updated reload to apply' });
  await expect(dialog).toBeFocused();
  await expectAccessible(page);
  // Keys that were meant for a text change nothing.
  for (const key of ['Space', 'Enter']) await page.keyboard.press(key);
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeFocused();
  const reloaded = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await reloaded;
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(await page.evaluate(() => caches.has('shell-next'))).toBe(true);
  const isWaiting = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null);
  await expect.poll(isWaiting).toBe(false);
});

test('reloads every tab on OK, also when another one activated the new version', async ({
  page,
  context,
  site,
}) => {
  await openWithWorker(page);
  const other = await context.newPage();
  await openWithWorker(other);
  await publish(page, site, nextVersion(site));
  for (const tab of [page, other]) {
    const dialog = tab.getByRole('dialog', { name: 'App Updated reload to apply' });
    await expect(dialog).toBeVisible();
    const reloaded = tab.waitForEvent('load');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await reloaded;
    await expect(tab.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  }
});

test('activates the new version on Cancel without a reload, and old pages still open', async ({
  page,
  site,
}) => {
  await openWithWorker(page);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await publish(page, site, nextVersion(site));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForFunction(() =>
    navigator.serviceWorker.getRegistration().then((found) => !found?.waiting),
  );
  await page.getByRole('link', { name: 'Register' }).click();
  await expect(
    page
      .getByRole('heading', { name: 'Create an account' })
      .or(page.getByLabel('First name'))
      .first(),
  ).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});

test('says that a new version could not be installed', async ({ page, site }) => {
  await openWithWorker(page);
  await publish(
    page,
    site,
    nextVersion(site).replace('shellFiles=[', 'shellFiles=["/assets/that-is-not-there.js",'),
  );
  await expect(
    page.getByText('Failed to update app. Please contact support.').first(),
  ).toBeVisible();
});

test('registers the service worker after 30 seconds if the app never becomes idle', async ({
  page,
  context,
}) => {
  // The clock replaces requestIdleCallback too, so it is installed first. It is paused, so that no
  // time passes while the page loads: later than it was installed, however busy the machine is.
  await page.clock.install({ time: '2026-03-01T12:00:00Z' });
  await page.clock.pauseAt('2026-03-01T18:00:00Z');
  await context.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await page.goto('/auth');
  await expect(page.getByLabel('Email')).toBeVisible();
  const isRegistering = () => page.evaluate(() => 'isRegistering' in window);
  await page.clock.runFor(29_900);
  expect(await isRegistering()).toBe(false);
  await page.clock.runFor(100);
  expect(await isRegistering()).toBe(true);
  await page.waitForFunction(() => 'isRegistered' in window);
});

test('has a manifest, icons and a service worker that is never cached', async ({
  page,
  context,
}) => {
  await page.goto('/auth');
  const manifest = await (await context.request.get('/manifest.webmanifest')).json();
  expect(manifest).toMatchObject({ name: 'Rowmill', display: 'standalone', start_url: '/' });
  for (const { src } of manifest.icons as { src: string }[])
    expect((await context.request.get(src)).ok()).toBe(true);
  expect((await context.request.get('/sw.js')).headers()['cache-control']).toBe('no-cache');
});
