import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { expectState } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';

const test = testOnStage();

const maximumTabs = 60;

/** The name that a screen reader gives the focused element. */
function focused(page: Page): Promise<string> {
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

async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < maximumTabs; step += 1) {
    await page.keyboard.press('Tab');
    const current = await focused(page);
    if (name.test(current)) return;
    passed.push(current.slice(0, 30));
  }
  throw new Error(`${name} cannot be reached: ${passed.join(' | ')}`);
}

async function choose(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

const sheet = ['Name,Material', 'Teapot,stoneware', 'Lamp,brass', 'Blanket,wool'].join('\n');

test('works from sign-in to a downloaded result without a mouse', async ({ page }) => {
  await page.goto('/auth/login');
  await expect(page.getByLabel('Email')).toBeVisible();
  await tabTo(page, /^Email/);
  await page.keyboard.type('client@demo.test');
  await tabTo(page, /^Password/);
  await page.keyboard.type('rowmill-demo');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();

  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the page');
  await page.keyboard.press('Enter');
  await choose(page, /^Submit a Batch/);
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  // The wait starts before the key is pressed, because the event can arrive before the next command.
  const chooser = page.waitForEvent('filechooser');
  await choose(page, /^Choose a file/);
  await (await chooser).setFiles({
    name: 'goods.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet),
  });
  await expect(page.getByText('3 rows, 2 columns')).toBeVisible();
  await expect.poll(() => focused(page)).toMatch(/Sheet$/);

  await tabTo(page, /^Prompt for each row/);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Praise {{');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Prompt for each row')).toHaveValue('Praise {{Name}}');
  await expect(page.getByText('Balance after')).toBeVisible();
  await choose(page, /^Run 3 rows$/);

  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await expectState(page, 'completed');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('processed');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/history$/);
  await expect(page.getByRole('link', { name: 'goods.csv' })).toBeVisible();
  await choose(page, /^goods\.csv$/);
  await expect(page.getByRole('button', { name: 'Open row 1', exact: true })).toBeVisible();
  await tabTo(page, /^Open row 1$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(
    page
      .getByRole('complementary', { name: 'Row 2' })
      .getByText('Demo answer (no AI): Praise Lamp')
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('Open row 2');

  await page.keyboard.down('Shift');
  await tabTo(page, /^Download: goods\.csv/);
  await page.keyboard.up('Shift');
  await page.keyboard.press('Enter');
  const arrival = page.waitForEvent('download');
  await choose(page, /^Results as CSV/);
  const results = readFileSync(await (await arrival).path(), 'utf8');
  expect(results.match(/Demo answer/g)).toHaveLength(3);
});
