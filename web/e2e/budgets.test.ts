import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** KB as in 1,000 bytes, of script as gzip makes it. */
const firstLoad = 130_000;
const anyOtherMore = 90_000;

/** What a browser with an empty cache fetches for a page, until nothing more comes. */
async function scriptBytes(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: 'networkidle' });
  const urls = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((name) => name.endsWith('.js')),
  );
  expect(urls.length).toBeGreaterThan(0);
  return [...new Set(urls)].reduce(
    (sum, url) => sum + statSync(join(import.meta.dirname, '../dist', `${url}.gz`)).size,
    0,
  );
}

it('keeps the script of the entrance, and what every other page adds to it, within their budgets', async () => {
  const context = await stage.browser.newContext({ baseURL: stage.url });
  const page = await context.newPage();
  const entrance = await scriptBytes(page, '/auth');
  expect(entrance).toBeLessThanOrEqual(firstLoad);
  await page.getByLabel('Email').fill('client@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('rowmill-demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Welcome, Clara.').waitFor();
  const others: Record<string, number> = {};
  // The stream of events keeps the network from ever being idle, so the pages are measured without it.
  await page.route('**/api/emedia/events*', (route) => route.abort());
  for (const path of [
    '/dashboard',
    '/ask',
    '/history',
    '/profile',
    '/changepassword',
    '/auth/plans',
    '/auth/help',
  ]) {
    others[path] = (await scriptBytes(page, path)) - entrance;
  }
  process.stdout.write(`gzipped script: /auth ${entrance}, more for ${JSON.stringify(others)}\n`);
  for (const more of Object.values(others)) expect(more).toBeLessThanOrEqual(anyOtherMore);
  await context.close();
});

it('leaves the page of components to developers: the built site has no trace of it', () => {
  const dist = join(import.meta.dirname, '../dist');
  const files = globSync('**/*.{js,css,html}', { cwd: dist });
  expect(files.length).toBeGreaterThan(10);
  expect(
    files.filter((file) =>
      /gallery-(light|dark)|A toast of the tone/.test(readFileSync(join(dist, file), 'utf8')),
    ),
  ).toEqual([]);
});
