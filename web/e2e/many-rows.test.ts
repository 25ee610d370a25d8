import { expect, type Page } from '@playwright/test';
import { expectState, startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { boxOf, clickForMessage, expectToast } from './support/screens.ts';
import { startSession } from './support/sign-in.ts';

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
interface Point {
  x: number;
  y: number;
}
const dragTo = (page: Page, share: number) =>
  scroller(page).evaluate(
    (element, share) => element.scrollTo(0, share * (element.scrollHeight - element.clientHeight)),
    share,
  );

const pagesIn = (pdf: Buffer) => Number(/\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]);

async function openBatch(page: Page): Promise<string> {
  await startSession(page, 'client@demo.test');
  const id = await startBatch(page, { name: 'many.csv', text, question: 'Say {{name}}' });
  await page.goto(`/history/${id}`);
  await page.getByRole('button', { name: 'Stop: many.csv' }).click();
  await clickForMessage(
    page.getByRole('dialog').getByRole('button', { name: 'Stop the batch' }),
    'stopFileProcessing',
  );
  await expectState(page, 'stopped');
  return id;
}

test('reaches every row of a sheet that is higher than a browser scrolls', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const id = await openBatch(page);
  await expect(opener(page, 1)).toBeVisible();
  expect(pagesIn(await page.pdf({ format: 'A4' }))).toBe(1);
  await opener(page, 1).focus();
  await page.keyboard.press('Control+End');
  await expect(cell(page, rows)).toBeInViewport();
  expect(await page.getByRole('row').count()).toBeLessThan(120);
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

  // Rows far apart are selected together, and the keys continue from the focused cell.
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

  // A range takes the rows between too, which were never in view.
  await page.goto(`/history/${id}?row=350`);
  await page.getByLabel('Select row 350', { exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Home');
  await expect(page.getByLabel('Select row 1', { exact: true })).toBeFocused();
  await page.keyboard.press('Shift+Space');
  await expect(page.getByText('350 selected', { exact: true }).last()).toBeVisible();
  await page.keyboard.press('Control+End');
  await expect(cell(page, rows)).toBeInViewport();
  await page.keyboard.press('Shift+Space');
  await expectToast(page, /^You can select at most 10,000 rows by hand\./);
  await expect(page.getByText('350 selected', { exact: true }).last()).toBeVisible();

  const linked = 0.7 * rows;
  await page.goto(`/history/${id}?row=${linked}`);
  const panel = page.getByRole('complementary', { name: `Row ${linked.toLocaleString('en')}` });
  await expect(panel).toBeVisible();
  await expect(cell(page, linked)).toBeInViewport();
  await expect(cell(page, linked)).toBeVisible();
});

test('downloads several large batches, though a browser allows one picker a click', async ({
  page,
}) => {
  await page.addInitScript(() => {
    let isAllowed = true;
    Object.assign(window, {
      async showSaveFilePicker({ suggestedName }: { suggestedName: string }) {
        if (!isAllowed) throw new DOMException('Must be handling a user gesture', 'SecurityError');
        isAllowed = false;
        const directory = await navigator.storage.getDirectory();
        return directory.getFileHandle(suggestedName, { create: true });
      },
    });
  });
  await startSession(page, 'bakery@demo.test');
  const large = `name\n${Array.from({ length: 20_000 }, (_, row) => row).join('\n')}\n`;
  await startBatch(page, { name: 'large.csv', text: large, question: 'Say {{name}}', times: 2 });
  await page.goto('/history');
  await page.getByLabel('Select all on this page').check();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^large/);
});

const frameMilliseconds = 16;

/** Moves a finger up or down. It stops before it leaves, unless it flings. */
async function fingerOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  let frames = Math.round(Date.now() / frameMilliseconds);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) => {
    frames += 1;
    const timestamp = (frames * frameMilliseconds) / 1_000;
    return session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
  };
  return async ({ x, y }: Point, to: number, isFling = false) => {
    await touch('touchStart', { x, y });
    for (let step = 1; step <= 12; step++)
      await touch('touchMove', { x, y: y + ((to - y) * step) / 12 });
    for (let still = 1; !isFling && still <= 12; still++)
      await touch('touchMove', { x, y: to + (still % 2) / 10 });
    await touch('touchEnd');
  };
}

test('reaches every row by touch on a phone', async ({ openPage }) => {
  const page = await openPage({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await openBatch(page);
  // Clear of the bar at the foot of a phone.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const drag = await fingerOn(page);
  const rowHeight = (await boxOf(page.getByRole('row').last())).height;
  const swipe = async (distance: number, isFling = false) => {
    const { x, y, width, height } = await boxOf(scroller(page));
    const middle = y + height / 2;
    const from = { x: x + width / 2, y: middle + distance / 2 };
    await drag(from, middle - distance / 2, isFling);
  };
  const slide = async (share: number) => {
    const slider = await boxOf(page.locator('[class*="row-slider__slider"]'));
    const track = await boxOf(page.locator('[class*="row-slider__track"]'));
    const from = { x: slider.x + slider.width - 6, y: slider.y + 10 };
    await drag(from, track.y + 10 + share * (track.height - slider.height));
  };
  const first = () => firstInView(page);

  // A finger moves the rows by as much as it moves, at any place of the sheet.
  const follow = async (distance: number) => {
    const before = await first();
    await swipe(distance);
    const missed = async () => Math.abs(((await first()) - before) * rowHeight - distance);
    await expect.poll(missed).toBeLessThanOrEqual(2 * rowHeight);
  };
  await follow(240);
  await slide(0.5);
  await expect.poll(first).toBeGreaterThan(rows * 0.45);
  expect(await first()).toBeLessThan(rows * 0.55);
  await follow(240);
  await follow(-240);

  await slide(1);
  const last = page.locator(`[aria-rowindex="${rows + 1}"]`);
  await expect(last).toBeInViewport();
  await expect(last).toContainText(`product ${rows}`);
  await follow(-240);
  // A fling continues after the finger has left, and ends among the rows before.
  const before = await first();
  await swipe(-240, true);
  await expect.poll(first).toBeLessThan(before - 240 / rowHeight);
  await expect(page.locator(`[aria-rowindex="${(await first()) + 1}"]`)).toContainText('product');

  await slide(0);
  await expect(page.locator('[aria-rowindex="2"]')).toBeInViewport();
  await expect(page.locator('[aria-rowindex="2"]')).toContainText('product 1');
  await page.locator('[aria-rowindex="3"]').tap();
  await expect(page.getByRole('dialog', { name: 'Row 2', exact: true })).toBeVisible();

  // The number of a late row is clear of the buttons beside it.
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`${new URL(page.url()).pathname}?row=${rows}`);
  const late = page.getByRole('dialog', { name: `Row ${rows.toLocaleString('en')}` });
  const title = await boxOf(late.getByRole('heading').first());
  const previous = await boxOf(late.getByRole('button', { name: 'Previous row' }));
  expect(title.x + title.width).toBeLessThanOrEqual(previous.x);
});
