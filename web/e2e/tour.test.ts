import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectState, startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { boxOf, clickMenu, colourOf, countClicks, phoneAndDesk } from './support/screens.ts';
import { signIn, signInByForm, startSession } from './support/sign-in.ts';

const test = testOnStage();

const mostClicks = 10;

/** Signs in with an account that the demo's first page offers. */
async function enterAsStranger(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Client with 1,000 submissions' }).click();
}

const devices = [
  { width: 1440, enter: enterAsStranger },
  { width: 390, enter: (page: Page) => signInByForm(page, 'bakery@demo.test') },
];

for (const { width, enter } of devices)
  test(`leads a new client from the sample to a downloaded file with answers at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const clicks = await countClicks(page);
    const startedAt = performance.now();
    await enter(page);
    await page.getByRole('link', { name: 'Try the sample' }).click();
    await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
    await expect(page.getByLabel('Prompt for each row')).toHaveValue(/\{\{Name\}\}/);
    await expect(page.getByText('Balance after')).toBeVisible();
    await page.getByRole('button', { name: 'Run 12 rows' }).click();
    await expect(page).toHaveURL(/\/history\/[^/]+$/);
    await expectState(page, 'completed');
    const arrival = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download: sample-products.csv' }).click();
    await page.getByRole('button', { name: /^Results as CSV:/ }).click();
    const lines = readFileSync(await (await arrival).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).toBe('Name,Material,Price,Answer,Problem');
    expect(lines).toHaveLength(13);
    const seconds = (performance.now() - startedAt) / 1_000;
    process.stdout.write(
      `${width} px: first view to a downloaded answer in ${seconds.toFixed(1)} s with ${clicks()} clicks\n`,
    );
    expect(clicks()).toBeLessThanOrEqual(mostClicks);
    for (const line of lines.slice(1)) {
      const name = line.slice(0, line.indexOf(','));
      expect(line).toContain(`makes people want the ${name}, made of`);
    }
    // The bell shows the batch. It took less than a minute, so there is no email.
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const news = page.getByRole('dialog', { name: 'Notifications' });
    await expect(news.getByRole('link', { name: /sample-products\.csv/ })).toBeVisible();
    await page.goto('/dev/mail');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('sample-products.csv')).toHaveCount(0);
    await page.goto('/dashboard');
    const used = page.getByRole('img', { name: /: 12 used$/ });
    await expect(used).toBeVisible();
    await expect(page.getByText('Rows run so far: 12')).toBeVisible();
  });

test('keeps the start button and toasts in view on a phone and on a desk', async ({ page }) => {
  await startSession(page, 'bakery@demo.test');
  const text = ['Name', 'Teapot', 'Lamp'].join('\n');
  await startBatch(page, { name: 'measures.csv', text, question: 'Praise {{Name}}.' });
  await page.goto('/ask');
  await page.getByRole('button', { name: 'Use the sample sheet' }).click();
  const run = page.getByRole('button', { name: 'Run 12 rows' });
  await page.getByLabel('Prompt for each row').fill('Praise {{Name}}.');
  for (const width of phoneAndDesk) {
    await page.setViewportSize({ width, height: 844 });
    for (const share of [0, 0.5, 1]) {
      await page.evaluate((part) => scrollTo(0, part * document.body.scrollHeight), share);
      await expect(run, `at ${share} of the page, ${width} px`).toBeInViewport({ ratio: 1 });
    }
  }
  // So low that the toast would cover the buttons, if it were where it is without a dialog.
  await page.setViewportSize({ width: 390, height: 400 });
  await page.goto('/history');
  await clickMenu(page, 'More: measures.csv', 'Rename');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('measured.csv');
  await intercept(page, '**/renameBatch', (route) => route.abort());
  const save = dialog.getByRole('button', { name: 'Save' });
  await save.click();
  const toast = page.locator('[popover] [role=alert]').getByText('The server cannot be reached.');
  const { x, y, height } = await boxOf(toast);
  expect(y + height, 'the toast overlaps the dialog').toBeGreaterThan((await boxOf(dialog)).y);
  // Hit tests find nothing outside of an open dialog, so its lower edge is looked at.
  const edge = { x: x + 40, y: y + height - 4, width: 1, height: 1 };
  const shown = await page.screenshot({ clip: edge });
  await toast.evaluate((element) => element.style.setProperty('background', 'white'));
  const isOnTop = !shown.equals(await page.screenshot({ clip: edge }));
  expect(isOnTop, 'the toast lies above the dialog').toBe(true);
  expect(y + height, 'the buttons of the dialog stay free').toBeLessThan((await boxOf(save)).y);
  const cutOff = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(cutOff, 'pixels of the dialog that are out of view').toBe(0);
});

test('shows the end of long names, and the longest title in one line on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'client@demo.test', '/history');
  const title = page.getByRole('heading', { level: 1, name: 'Processed Batches' });
  const balance = page.getByRole('banner').locator('strong');
  await expect(balance).toHaveText(/\d/);
  // What earlier tests of this person spent does not matter.
  await balance.evaluate((text) => text.replaceChildren('12,345'));
  const lines = () => title.locator('span').evaluate((text) => text.getClientRects().length);
  expect(await lines()).toBe(1);
  const name = `${'reviews of all our shops '.repeat(7)}north.csv`;
  const id = await startBatch(page, { name, text: 'Row\nred\n', question: 'Say {{Row}}.' });
  const end = page.getByText('ps north.csv', { exact: true });
  for (const path of [`/history/${id}`, '/history', '/sheets']) {
    await page.goto(path);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(end, `the end of the name at ${path}`).toBeInViewport({ ratio: 1 });
    }
  }
  const hebrew = 'שלום עולם זה שם קובץ ארוך מאוד עם הרבה מילים.csv';
  await startBatch(page, { name: hebrew, text: 'Row\nred\n', question: 'Say {{Row}}.' });
  await page.goto('/history');
  const parts = page.getByTitle(hebrew).locator('[aria-hidden]');
  await expect(parts).toHaveCount(2);
  const [start, rest] = [await boxOf(parts.first()), await boxOf(parts.last())];
  expect(rest.x, 'it ends at the left').toBeLessThan(start.x);
  await page.goto('/activity');
  await expect(page.getByText(`uploaded the sheet “${name}”`)).toBeVisible();
});

test('sets plans and help in straight lines and its own colours', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/auth/plans');
  await expect(page.getByText(/no automatic renewal/)).toBeVisible();
  const choices = page.getByRole('button', { name: /^Choose / });
  await expect(choices).toHaveCount(4);
  const tops = (await Promise.all((await choices.all()).map(boxOf))).map(({ y }) => y);
  expect(Math.max(...tops) - Math.min(...tops), 'the buttons of the plans').toBeLessThan(0.5);
  await page.goto('/auth/help');
  const search = page.getByRole('searchbox');
  await search.fill('plan');
  expect(await mostColour(page, search), 'the cross of the search').toBeLessThan(24);
  const accents = await page.evaluate(() =>
    ['radio', 'checkbox'].map((type) => {
      const field = document.body.appendChild(document.createElement('input'));
      field.type = type;
      return getComputedStyle(field).accentColor;
    }),
  );
  expect(new Set(accents)).toEqual(new Set([await colourOf(page, '--brand')]));
  await search.fill('');
  const line = page.locator('summary').filter({ hasText: 'What is a submission?' });
  const [outer, inner] = [await boxOf(line), await boxOf(line.getByRole('heading'))];
  const below = outer.y + outer.height - inner.y - inner.height;
  expect(Math.abs(inner.y - outer.y - below), 'a line of the help').toBeLessThan(1);
});

test('tells people whose browser is too old or runs no script', async ({ page, browser }) => {
  const notice = page.getByText('This browser is too old for Rowmill.');
  await page.goto('/help');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(notice).toBeHidden();
  await page.addInitScript(() => Reflect.deleteProperty(Map, 'groupBy'));
  await page.reload();
  await expect(notice).toBeVisible();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(page.url());
  await expect(plain.locator('noscript')).toBeVisible();
  await context.close();
});

test('lists the keyboard shortcuts, loads with a skeleton and moves nothing for people who prefer that', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, 'client@demo.test');
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  const menu = await page.getByRole('navigation', { name: 'Main', exact: true }).boundingBox();
  expect(menu?.width).toBeGreaterThanOrEqual(264);
  await expect(page.locator('html')).toHaveCSS('font-variant-numeric', 'tabular-nums');
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys.getByText('Go to any page')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  const held = Promise.withResolvers<void>();
  await intercept(page, '**/getProcessedFiles*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/history');
  await expect(page.locator('.skeleton').first()).toBeVisible();
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => {
        const { animationName, transitionProperty } = getComputedStyle(element);
        return animationName !== 'none' || transitionProperty !== 'none';
      }).length,
  );
  expect(moving).toBe(0);
  held.resolve();
  // Other tests of this file may have run batches as the same client.
  const list = page.getByRole('main').getByRole('link', { name: /\.csv/ });
  await expect(page.getByText('No batches yet').or(list).first()).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
});

/** How far from grey the end of a field is, of 255. The browser's own cross is blue. */
async function mostColour(page: Page, field: Locator): Promise<number> {
  const { x, y, width, height } = await boxOf(field);
  const clip = { x: x + width - 36, y: y + 6, width: 28, height: height - 12 };
  const picture = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] };
    let most = 0;
    for (let at = 0; at < data.length; at += 4) {
      const colours = [...data.slice(at, at + 3)];
      most = Math.max(most, Math.max(...colours) - Math.min(...colours));
    }
    return most;
  }, picture);
}
