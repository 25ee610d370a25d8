import { expect, type Page } from '@playwright/test';
import { expectState, startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { clickForMessage } from './support/screens.ts';
import { signIn } from './support/sign-in.ts';

/** More rows than a browser can scroll through. */
const test = testOnStage({ settings: { CHAT_PRICES: 'demo=0', CHAT_CONCURRENCY: '1' } });
const rows = 400_000;
const text = `name\n${Array.from({ length: rows }, (_, row) => `product ${row + 1}`).join('\n')}\n`;

const opener = (page: Page, row: number) =>
  page.getByRole('button', { name: `Open row ${row.toLocaleString('en')}`, exact: true });
const cell = (page: Page, row: number) =>
  page.getByRole('gridcell', { name: `product ${row}`, exact: true });
const scroller = (page: Page) => page.getByRole('grid', { name: 'Rows' }).locator('..');
/** The number of the row below the head. */
const firstInView = (page: Page) =>
  scroller(page).evaluate((element) => {
    const { left, top } = element.getBoundingClientRect();
    const row = document.elementFromPoint(left + 30, top + 50)?.closest('[aria-rowindex]');
    return Number(row?.getAttribute('aria-rowindex')) - 1;
  });
const dragTo = (page: Page, share: number) =>
  scroller(page).evaluate(
    (element, share) => element.scrollTo(0, share * (element.scrollHeight - element.clientHeight)),
    share,
  );

test('reaches every row of a sheet that is higher than a browser scrolls', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'client@demo.test');
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  const id = await startBatch(page, { name: 'many.csv', text, question: 'Say {{name}}' });
  await page.goto(`/history/${id}`);
  await page.getByRole('button', { name: 'Stop: many.csv' }).click();
  await clickForMessage(
    page.getByRole('dialog').getByRole('button', { name: 'Stop the batch' }),
    'stopFileProcessing',
  );
  await expectState(page, 'stopped');

  await opener(page, 1).focus();
  await page.keyboard.press('Control+End');
  await expect(cell(page, rows)).toBeInViewport();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  for (const [key, row] of [
    ['k', rows - 1],
    ['j', rows],
    ['ArrowUp', rows - 1],
    ['ArrowDown', rows],
  ] as const) {
    await page.keyboard.press(key);
    await expect(opener(page, row)).toBeFocused();
    await expect(opener(page, row)).toBeInViewport();
  }
  const ofPage = await firstInView(page);
  for (const key of ['PageUp', 'PageUp']) await page.keyboard.press(key);
  await expect.poll(() => firstInView(page)).toBeLessThan(ofPage);
  expect(await firstInView(page)).toBeGreaterThan(ofPage - 60);
  await page.keyboard.press('Control+Home');
  // Its page is known, so that the key need not wait for it.
  await expect(page.getByLabel('Select row 1', { exact: true })).toBeFocused();
  await expect(opener(page, 1)).toBeInViewport();

  // The scroll bar covers all rows; the wheel moves by some.
  await dragTo(page, 1);
  await expect(cell(page, rows)).toBeInViewport();
  await dragTo(page, 0.5);
  await expect.poll(() => firstInView(page)).toBeGreaterThan(rows * 0.49);
  const middle = await firstInView(page);
  expect(middle).toBeLessThan(rows * 0.51);
  await expect(cell(page, middle + 5)).toBeInViewport();
  await scroller(page).hover();
  await page.mouse.wheel(0, 380);
  await expect.poll(() => firstInView(page)).toBe(middle + 10);
  await expect(cell(page, middle + 12)).toBeInViewport();

  // Rows far apart are selected together, and the keys go on from the cell with the focus.
  await dragTo(page, 0);
  await page.getByLabel('Select row 1', { exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+End');
  await expect(cell(page, rows)).toBeInViewport();
  await page.keyboard.press('Space');
  await expect(page.getByText('2 selected', { exact: true }).last()).toBeVisible();
  await dragTo(page, 0.2);
  await expect.poll(() => firstInView(page)).toBeLessThan(rows * 0.3);
  await page.keyboard.press('ArrowUp');
  await expect(cell(page, rows - 1)).toBeInViewport();

  const linked = 0.7 * rows;
  await page.goto(`/history/${id}?row=${linked}`);
  const panel = page.getByRole('complementary', { name: `Row ${linked.toLocaleString('en')}` });
  await expect(panel).toBeVisible();
  await expect(cell(page, linked)).toBeInViewport();
  await expect(cell(page, linked)).toBeVisible();
});
