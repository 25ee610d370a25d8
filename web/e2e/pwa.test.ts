import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';
import { loadThroughWorker } from './through-worker.ts';

/** A copy of the built site, so that a test can publish a new version of it. */
const siteDirectory = mkdtempSync(join(tmpdir(), 'rowmill-site-'));
const worker = join(siteDirectory, 'sw.js');
let original = '';
let stage: Stage;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../dist'), siteDirectory, { recursive: true });
  // Only the plain file is changed by the tests, so only that may be served.
  for (const packed of ['sw.js.br', 'sw.js.gz'])
    rmSync(join(siteDirectory, packed), { force: true });
  original = readFileSync(worker, 'utf8');
  stage = await setStage({ port: 4478, siteDirectory });
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  rmSync(siteDirectory, { recursive: true });
});
beforeEach(async () => {
  writeFileSync(worker, original);
  context = await stage.browser.newContext({ baseURL: stage.url });
  await context.addInitScript(noteRegistration);
  page = await context.newPage();
});
afterEach(() => context.close());

/** Runs in the page. Only after its registration does the app listen for new versions. */
function noteRegistration() {
  const { serviceWorker } = navigator;
  const register = serviceWorker?.register.bind(serviceWorker);
  if (!register) return;
  serviceWorker.register = async (...given) => {
    const registration = await register(...given);
    Object.assign(window, { isRegistered: true });
    return registration;
  };
}

async function openWithWorker(path: string): Promise<void> {
  await page.goto(path);
  await loadThroughWorker(page);
  await page.waitForFunction(() => 'isRegistered' in window, null, { timeout: 60_000 });
}

async function signIn(): Promise<void> {
  await page.getByLabel('Email').fill('client@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('rowmill-demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Available: 1,000 submissions').waitFor();
}

async function publish(text: string): Promise<void> {
  writeFileSync(worker, text);
  await page.evaluate(async () => {
    const found = await navigator.serviceWorker.getRegistration();
    // The browser looks by itself too, and answers with a look that it had begun before the new version was there.
    do await found?.update().catch(() => {});
    while (found && !found.installing && !found.waiting);
  });
}

/** The same worker, of another version. */
const nextVersion = () => original.replace(/shellVersion='[^']+'/, "shellVersion='next'");

it('opens its shell without a connection, says so, and has kept no answer of the API', async () => {
  await openWithWorker('/auth');
  await signIn();
  await context.setOffline(true);
  await page.goto('/dashboard');
  await page.getByText('You’re offline.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  const kept = await page.evaluate(async () => {
    const urls = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) urls.push(request.url);
    return urls;
  });
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.filter((url) => new URL(url).pathname.startsWith('/api/'))).toEqual([]);
  await context.setOffline(false);
});

it('asks when a new version is ready, and reloads for it on OK', async () => {
  await openWithWorker('/auth');
  await publish(nextVersion());
  const dialog = page.getByRole('dialog', { name: 'App Updated reload to apply' });
  await dialog.waitFor();
  const reloaded = page.waitForEvent('load');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await reloaded;
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate(() => caches.has('shell-next'))).toBe(true);
});

it('lets the new version take over on Cancel without a reload, and parts of the old one still open', async () => {
  await openWithWorker('/auth');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await publish(nextVersion());
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForFunction(() =>
    navigator.serviceWorker.getRegistration().then((found) => !found?.waiting),
  );
  await page.getByRole('link', { name: 'Register' }).click();
  await page
    .getByRole('heading', { name: 'Create an account' })
    .or(page.getByLabel('First name'))
    .first()
    .waitFor();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});

it('says in the words of the product that a new version could not be installed', async () => {
  await openWithWorker('/auth');
  await publish(
    nextVersion().replace('shellFiles=[', 'shellFiles=["/assets/that-is-not-there.js",'),
  );
  await page.getByText('Failed to update app. Please contact support.').first().waitFor();
});

it('is registered after half a minute where the app never comes to rest', async () => {
  await context.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await page.clock.install();
  await page.goto('/auth');
  await page.getByLabel('Email').waitFor();
  const isRegistered = () => page.evaluate(() => 'isRegistered' in window);
  // Its own seconds pass besides.
  await page.clock.runFor(20_000);
  expect(await isRegistered()).toBe(false);
  await page.clock.runFor(11_000);
  await expect.poll(isRegistered).toBe(true);
});

it('can be installed', async () => {
  await page.goto('/auth');
  const manifest = await (await context.request.get('/manifest.webmanifest')).json();
  expect(manifest).toMatchObject({ name: 'Rowmill', display: 'standalone', start_url: '/' });
  for (const { src } of manifest.icons as { src: string }[])
    expect((await context.request.get(src)).ok()).toBe(true);
  expect((await context.request.get('/sw.js')).headers()['cache-control']).toBe('no-cache');
});
