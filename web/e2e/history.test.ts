import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import type { Download, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startBatch as startAs, waitForState } from './batch-steps.ts';
import { type Stage, setStage } from './browser.ts';

/** Exceptions on the page and violations of its policy. */
const pageErrors: string[] = [];
let page: Page;
let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ settings: { CHAT_CONCURRENCY: '1' } });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  page = await (await stage.browser.newContext({ baseURL: stage.url })).newPage();
  pageErrors.length = 0;
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on(
    'console',
    (message) =>
      message.text().includes('Content Security Policy') && pageErrors.push(message.text()),
  );
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill('client@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('rowmill-demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Welcome, Clara.').waitFor();
});
afterEach(async () => {
  expect(pageErrors).toEqual([]);
  await page.context().close();
});

const startBatch = (batch: Parameters<typeof startAs>[1]) => startAs(page, batch);
const state = (name: Parameters<typeof waitForState>[1]) => waitForState(page, name);

const question = 'Describe {{topic}} {{mark}}';
const sheetOf = (rows: readonly string[]) =>
  ['code,topic,mark', ...rows].join('\r\n').concat('\r\n');
/** 600 rows of two seconds each, one at a time: long enough to pause, inspect and stop. */
const slowSheet = sheetOf(
  Array.from({ length: 600 }, (_, index) => `${index},topic ${index},[[slow]]`),
);
const quickSheet = (marks: readonly string[]) =>
  sheetOf(marks.map((mark, index) => `00${index},"topic ${index}, large",${mark}`));

/** Menus may close when the width changes, so `open` runs again for each width. */
async function expectAccessible(open = async () => {}) {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await open();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
  }
}

async function choose(menu: string, entry: string) {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('button', { name: entry }).click();
}

async function downloaded(entry: string): Promise<string> {
  const arrival: Promise<Download> = page.waitForEvent('download');
  await choose('Download', entry);
  return readFileSync(await (await arrival).path(), 'utf8');
}

it('follows a batch live, shows why rows failed and downloads every format', async () => {
  const text = quickSheet(['', '[[slow]][[fail]]', '', '', '[[slow]][[fail]]', '']);
  const id = await startBatch({ name: 'topics.csv', text, question });
  await page.goto(`/history/${id}`);
  await state('completed');
  // The first run may end before the page is open, so a retry is watched.
  await choose('More', 'Retry failed (2): topics.csv');
  await page.getByRole('dialog').getByRole('button', { name: 'Retry failed rows' }).click();
  await state('running');
  await state('completed');
  await page.getByRole('button', { name: 'Failed (2)' }).click();
  await page.getByRole('button', { name: 'Open row 2', exact: true }).waitFor();
  await expect
    .poll(() => page.getByRole('grid', { name: 'Rows' }).getAttribute('aria-rowcount'))
    .toBe('3');
  expect(new URL(page.url()).searchParams.get('rows')).toBe('failed');
  await page.getByRole('button', { name: 'Open row 2', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Row 5' });
  await dialog.getByText('The demo model was asked to fail.').waitFor();
  await dialog.getByText('topic 4, large', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Open row 5');

  const results = (await downloaded('Results as CSV: topics.csv')).trimEnd().split(/\r?\n/);
  expect(results).toHaveLength(7);
  expect(results[0]).toMatch(/^code,topic,mark,/);
  for (const [index, line] of text.trimEnd().split('\r\n').entries())
    expect(results[index]).toContain(line);
  expect((await downloaded('CSV for Excel')).charCodeAt(0)).toBe(0xfeff);
  expect((await downloaded('XLSX')).slice(0, 2)).toBe('PK');
  expect(
    (await downloaded('JSONL'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toHaveLength(6);
  expect(await downloaded('Original file')).toBe(text);
});

it('pauses, resumes, stops and deletes a batch', async () => {
  const id = await startBatch({ name: 'slow.csv', text: `${slowSheet}x,y,[[fail]]\r\n`, question });
  await page.goto(`/history/${id}`);
  await page.getByRole('button', { name: 'Pause: slow.csv' }).click();
  await state('paused');
  await page.getByText('Paused manually.').waitFor();
  await page.getByRole('button', { name: 'Resume: slow.csv' }).click();
  await state('running');
  await page.getByRole('button', { name: 'Stop: slow.csv' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop this batch?' });
  await dialog.getByText('No more rows will be sent.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Stop: slow.csv' }).click();
  await dialog.getByRole('button', { name: 'Stop the batch' }).click();
  await state('stopped');
  await page.getByRole('heading', { name: 'Receipt' }).waitFor();
  expect(
    await page.getByRole('button', { name: 'Resume: slow.csv' }).getAttribute('aria-disabled'),
  ).toBe('true');
  await choose('More', 'Delete: slow.csv');
  await page.getByRole('button', { name: 'Delete the batch' }).click();
  await page.getByText('Batch deleted.').first().waitFor();
  await page.waitForURL('**/history');
  expect(await page.getByRole('link', { name: 'slow.csv' }).count()).toBe(0);
  await page.goto(`/history/${id}`);
  await page.getByRole('heading', { name: 'Batch not found' }).waitFor();
});

it('searches batches by name and state, keeps that in the address and retries failed rows', async () => {
  for (const name of ['apples.csv', 'pears.csv'])
    await startBatch({ name, text: quickSheet(['', '[[fail]]']), question });
  await page.goto('/history');
  await page.getByRole('link', { name: 'apples.csv' }).waitFor();
  await page.getByLabel('Search').fill('pears');
  await page.waitForURL('**/history?search=pears');
  await expect.poll(() => page.getByRole('link', { name: 'apples.csv' }).count()).toBe(0);
  await page.getByLabel('State').selectOption('Paused');
  await page.getByText('No matching batches.').waitFor();
  await page.reload();
  expect(await page.getByLabel('Search').inputValue()).toBe('pears');
  await page.getByRole('button', { name: 'Show all batches' }).click();
  await page.getByRole('link', { name: 'apples.csv' }).waitFor();
  await page.getByRole('row', { name: /pears/ }).getByText('Completed').waitFor();
  await choose('More: pears.csv', 'Retry failed (1): pears.csv');
  await page.getByRole('dialog').getByRole('button', { name: 'Retry failed rows' }).click();
  await page.getByText('Retrying the failed rows.').first().waitFor();
});

/** About forty accessibility checks, each of which takes seconds on a busy machine. */
const manyChecks = { timeout: 480_000 };

it(
  'has no accessibility violation in any state, on a desk and on a phone',
  manyChecks,
  async () => {
    await page.goto('/history?search=nothing+has+this+name');
    await page.getByText('No matching batches.').waitFor();
    await expectAccessible();
    const id = await startBatch({ name: 'states.csv', text: slowSheet, question });
    for (const [press, name] of [
      [null, 'running'],
      ['Pause', 'paused'],
      ['Stop', 'stopped'],
    ] as const) {
      await page.goto(`/history/${id}`);
      if (press) await page.getByRole('button', { name: `${press}: states.csv` }).click();
      if (press === 'Stop') await expectAccessible();
      if (press === 'Stop') await page.getByRole('button', { name: 'Stop the batch' }).click();
      await state(name);
      await page.getByRole('button', { name: 'Open row 1', exact: true }).waitFor();
      await expectAccessible();
      await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
      await page.getByRole('dialog', { name: 'Row 1' }).getByText('Prompt').waitFor();
      await expectAccessible();
      await page.goto('/history?search=states');
      await state(name);
      await expectAccessible();
      await expectAccessible(() => page.getByRole('button', { name: 'More: states.csv' }).click());
      await page.goto('/dashboard');
      await page.getByRole('link', { name: 'states.csv' }).first().waitFor();
      await expectAccessible();
    }
  },
);
