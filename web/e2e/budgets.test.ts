import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { submitSignIn } from './support/sign-in.ts';

const test = testOnStage();

/** Bytes of gzipped script. */
const signInBudget = 130_000;
const otherPageBudget = 90_000;
/** Pages with a grid. */
const gridPageBudget = 120_000;

/** The gzipped size of all scripts that a page loads until it shows this part of it. */
async function scriptBytes(page: Page, path: string, last: Locator): Promise<number> {
  await page.goto(path);
  await expect(last).toBeVisible();
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

test('keeps the scripts of the sign-in page and of every other page within their budgets', async ({
  page,
}) => {
  const signInPage = await scriptBytes(page, '/auth', page.getByLabel('Email'));
  expect(signInPage).toBeLessThanOrEqual(signInBudget);
  await submitSignIn(page, 'client@demo.test');
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  const others: Record<string, number> = {};
  const text = ['Name', 'Teapot'].join('\n');
  const id = await startBatch(page, { name: 'budget.csv', text, question: 'Praise {{Name}}.' });
  const area = page.getByRole('main');
  const gridPages = ['/ask', `/history/${id}`];
  for (const [path, last] of Object.entries({
    '/ask': area.getByText('Drop a workbook'),
    [`/history/${id}`]: area.getByText('Demo answer (no AI)'),
    '/dashboard': area.getByText('Welcome, Clara.'),
    '/history': area.getByText('budget.csv'),
    '/profile': area.getByLabel('Phone'),
    '/changepassword': area.getByLabel('New password', { exact: true }),
    '/auth/plans': area.getByRole('heading', { name: 'Plans' }),
    '/auth/help': area.getByRole('heading', { name: 'Help' }),
  }))
    others[path] = (await scriptBytes(page, path, last.first())) - signInPage;
  process.stdout.write(`gzipped script: /auth ${signInPage}, more for ${JSON.stringify(others)}\n`);
  for (const [path, more] of Object.entries(others))
    expect(more, path).toBeLessThanOrEqual(
      gridPages.includes(path) ? gridPageBudget : otherPageBudget,
    );
});

test('names the files of a page before the app does', () => {
  const dist = join(import.meta.dirname, '../dist');
  const early = readFileSync(join(dist, 'early.js'), 'utf8');
  for (const page of ['login-page', 'dashboard-page', 'ask-page', 'history-page', 'batch-page'])
    expect(early).toContain(`"assets/${page}-`);
  const files = [...early.matchAll(/"(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(join(dist, file)))).toEqual([]);
});
