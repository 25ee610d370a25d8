import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForState } from './batch-steps.ts';
import { type Stage, setStage } from './browser.ts';

let stage: Stage;
let page: Page;
beforeAll(async () => {
  stage = await setStage({ port: 4491 });
  page = await (await stage.browser.newContext({ baseURL: stage.url })).newPage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const press = (key: string) => page.keyboard.press(key);
const maximumTabs = 60;

/** The name that a screen reader gives the focused element. */
function focused(): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    const name =
      element?.getAttribute('aria-label') ??
      element?.labels?.[0]?.textContent ??
      element?.textContent ??
      '';
    return element === document.body ? '' : name.trim();
  });
}

async function tabTo(name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < maximumTabs; step += 1) {
    await press('Tab');
    const current = await focused();
    if (name.test(current)) return;
    passed.push(current.slice(0, 30));
  }
  throw new Error(`${name} cannot be reached: ${passed.join(' | ')}`);
}

async function choose(name: RegExp): Promise<void> {
  await tabTo(name);
  await press('Enter');
}

const sheet = ['Name,Material', 'Teapot,stoneware', 'Lamp,brass', 'Blanket,wool'].join('\n');

it('works from sign-in to a downloaded result without a mouse', async () => {
  await page.goto('/auth/login');
  await page.getByLabel('Email').waitFor();
  await tabTo(/^Email/);
  await page.keyboard.type('client@demo.test');
  await tabTo(/^Password/);
  await page.keyboard.type('rowmill-demo');
  await press('Enter');
  await page.getByText('Welcome, Clara.').waitFor();

  await press('Tab');
  expect(await focused()).toBe('Skip to the page');
  await press('Enter');
  await choose(/^Submit a Batch/);
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  // The wait starts before the key is pressed, because the event can arrive before the next command.
  const chooser = page.waitForEvent('filechooser');
  await choose(/^Choose a file/);
  await (await chooser).setFiles({
    name: 'goods.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet),
  });
  await page.getByText('3 rows, 2 columns').waitFor();
  await expect.poll(focused).toMatch(/Sheet$/);

  await tabTo(/^Prompt for each row/);
  await press('ControlOrMeta+a');
  await page.keyboard.type('Praise {{');
  await press('ArrowDown');
  await press('ArrowUp');
  await press('Enter');
  expect(await page.getByLabel('Prompt for each row').inputValue()).toBe('Praise {{Name}}');
  await page.getByText('Balance after').waitFor();
  await choose(/^Run 3 rows$/);

  await page.waitForURL(/\/history\/[^/]+$/);
  await waitForState(page, 'completed');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  await press('ControlOrMeta+k');
  await page.keyboard.type('processed');
  await press('Enter');
  await page.waitForURL(/\/history$/);
  await page.getByRole('link', { name: 'goods.csv' }).waitFor();
  await choose(/^goods\.csv$/);
  await page.getByRole('button', { name: 'Open row 1', exact: true }).waitFor();
  await tabTo(/^Open row 1$/);
  await press('ArrowDown');
  await press('Enter');
  await page
    .getByRole('dialog', { name: 'Row 2' })
    .getByText('Demo answer (no AI): Praise Lamp')
    .first()
    .waitFor();
  await press('Escape');
  await expect.poll(focused).toBe('Open row 2');

  await page.keyboard.down('Shift');
  await tabTo(/^Download: goods\.csv/);
  await page.keyboard.up('Shift');
  await press('Enter');
  const arrival = page.waitForEvent('download');
  await choose(/^Results as CSV/);
  const results = readFileSync(await (await arrival).path(), 'utf8');
  expect(results.match(/Demo answer/g)).toHaveLength(3);
});
