import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForState } from './batch-steps.ts';
import { type Stage, setStage } from './browser.ts';
import { signIn } from './shop-steps.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ port: 4496 });
});
afterAll(() => stage[Symbol.asyncDispose]());

async function open(width: number): Promise<Page> {
  return (
    await stage.browser.newContext({ baseURL: stage.url, viewport: { width, height: 900 } })
  ).newPage();
}

it.each([
  ['a desk', 1440, 'client@demo.test'],
  ['a phone', 390, 'bakery@demo.test'],
])(
  'leads a newcomer on %s from the sample to a downloaded file with answers',
  async (_where, width, email) => {
    const page = await open(width);
    await signIn(page, email);
    await page.getByRole('link', { name: 'Try the sample' }).click();
    await page.getByText('12 rows, 3 columns').waitFor();
    expect(await page.getByLabel('Prompt for each row').inputValue()).toContain('{{Name}}');
    await page.getByText('Balance after').waitFor();
    await page.getByRole('button', { name: 'Run 12 rows' }).click();
    await page.waitForURL(/\/history\/[^/]+$/);
    await waitForState(page, 'completed');
    const arrival = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download: sample-products.csv' }).click();
    await page.getByRole('button', { name: /^Results as CSV:/ }).click();
    const lines = readFileSync(await (await arrival).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).toBe('Name,Material,Price,Answer,Problem');
    expect(lines).toHaveLength(13);
    for (const line of lines.slice(1)) {
      const name = line.slice(0, line.indexOf(','));
      expect(line).toContain(`makes people want the ${name}, made of`);
    }
    await page.context().close();
  },
);

it('lists the keyboard shortcuts and keeps the menu at least 264 px wide', async () => {
  const page = await open(1440);
  await signIn(page, 'client@demo.test');
  await page.getByText('Welcome, Clara.').waitFor();
  const menu = await page.getByRole('navigation', { name: 'Main', exact: true }).boundingBox();
  expect(menu?.width).toBeGreaterThanOrEqual(264);
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.getByText('Go to any page').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => keys.count()).toBe(0);
  await page.context().close();
});
