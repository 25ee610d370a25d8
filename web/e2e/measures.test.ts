import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContextOptions, expect, type Locator } from '@playwright/test';
import { chooseSample } from './support/ask-page.ts';
import { expectState, openCompleted, startBatch } from './support/batches.ts';
import { post } from './support/calls.ts';
import { testOnStage } from './support/fixtures.ts';
import { boxOf, expectAccessible, expectToFit, readLocalStorage } from './support/screens.ts';
import { signIn, startSession } from './support/sign-in.ts';

/** The sizes of the design, what stays in view, and judging without a mouse. Prints figures. */
const test = testOnStage();
const question = 'Praise {{Name}}.';
const sheet = ['Name', ...Array.from({ length: 22 }, (_, row) => `Product ${row}`)].join('\n');

interface Device {
  device: string;
  options: BrowserContextOptions;
  control: number;
  header: number;
  text: string;
  firstAnswer: number;
}
const devices: Device[] = [
  {
    device: 'desk',
    options: { viewport: { width: 1440, height: 900 } },
    control: 36,
    header: 64,
    text: '14px',
    firstAnswer: 420,
  },
  {
    device: 'phone',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    control: 44,
    header: 56,
    text: '16px',
    firstAnswer: 560,
  },
];

for (const { device, options, control, header, text, firstAnswer } of devices) {
  test(`has the sizes of the design on a ${device}`, async ({ openPage }) => {
    const page = await openPage({ ...options, reducedMotion: 'no-preference' });
    await startSession(page, 'client@demo.test');
    const id = await startBatch(page, { name: `${device}.csv`, text: sheet, question });
    const measured: Record<string, number | string> = {};

    await page.goto('/profile');
    const field = page.getByRole('main').getByLabel('First name');
    await expect(field).toBeVisible();
    measured.header = (await boxOf(page.getByRole('banner'))).height;
    measured.field = (await boxOf(field)).height;
    measured.button = (await boxOf(page.getByRole('button', { name: 'Save' }).first())).height;
    measured.text = await field.evaluate((element) => getComputedStyle(element).fontSize);
    measured.form = (await boxOf(page.getByRole('main').locator('form').first())).width;

    await page.goto(`/history/${id}`);
    await expectState(page, 'completed');
    const answer = page.getByText('Demo answer (no AI)').first();
    await expect(answer).toBeVisible();
    measured.head = (await boxOf(page.getByRole('region', { name: `${device}.csv` }))).height;
    measured.firstAnswer = (await boxOf(answer)).y;

    await page.goto('/ask?sample=1');
    const editor = page.getByLabel('Prompt for each row');
    await expect(editor).toHaveValue(/\{\{Name\}\}/);
    measured.editorLines = await linesOf(editor);

    await startSession(page, 'admin@demo.test');
    await page.goto('/clients');
    await page.getByRole('button', { name: 'Act as Bella Crellin' }).click();
    const strip = page.getByRole('complementary', { name: 'Acting as a client' });
    await expect(strip).toBeVisible();
    measured.strip = (await boxOf(strip)).height;
    measured.motion = await page.evaluate(() => {
      document.body.style.transition = 'opacity var(--motion)';
      return Number.parseFloat(getComputedStyle(document.body).transitionDuration) * 1_000;
    });
    process.stdout.write(`${device}: ${JSON.stringify(measured)}\n`);
    expect(measured).toMatchObject({ header, field: control, button: control, text, strip: 32 });
    expect(measured.motion).toBeGreaterThanOrEqual(120);
    expect(measured.motion).toBeLessThanOrEqual(160);
    expect(measured.form).toBeLessThanOrEqual(640);
    expect(measured.head).toBeLessThanOrEqual(220);
    expect(measured.firstAnswer).toBeLessThanOrEqual(firstAnswer);
    expect(measured.editorLines).toBeGreaterThanOrEqual(6);
  });
}

test('shows a batch in one line of the list, and long cells in three lines', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await startSession(page, 'bakery@demo.test');
  const long = ['Name', 'word '.repeat(200)].join('\n');
  const id = await startBatch(page, { name: 'long.csv', text: long, question });
  await page.goto('/history');
  const { height } = await boxOf(page.getByRole('row', { name: /long\.csv/ }));
  process.stdout.write(`a batch of the list: ${height} px\n`);
  expect(height).toBeGreaterThanOrEqual(44);
  expect(height).toBeLessThanOrEqual(48);
  await page.goto(`/history/${id}`);
  await expectState(page, 'completed');
  await page.getByRole('button', { name: 'Columns: Rows' }).click();
  await page.getByText('Wrap text').click();
  await page.keyboard.press('Escape');
  const cell = page.getByRole('grid').getByText('word word').first();
  await expect(cell).toHaveCSS('-webkit-line-clamp', '3');
  const lines = await linesOf(cell);
  process.stdout.write(`a long cell: ${lines.toFixed(1)} lines\n`);
  expect(Math.round(lines)).toBe(3);
});

test('keeps the answers in view beside 199 columns of a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await startSession(page, 'client@demo.test');
  const names = ['Name', ...Array.from({ length: 198 }, (_, column) => `Fact ${column}`)];
  const values = names.map((_, column) => `value ${column}`);
  const text = [names, values].map((line) => line.join(',')).join('\n');
  await openCompleted(page, { name: 'wide.csv', text, question });
  const answer = page.getByRole('gridcell', { name: 'Demo answer (no AI)' });
  await expect(answer).toBeInViewport({ ratio: 1 });
  const before = await boxOf(answer);
  process.stdout.write(`the answer ends at ${before.x + before.width} of 1440 px\n`);
  const cells = await page.getByRole('gridcell').count();
  process.stdout.write(`${cells} of ${names.length + 3} cells of the row are on the page\n`);
  expect(cells).toBeLessThan(60);
  await page.getByRole('button', { name: 'Open row 1', exact: true }).focus();
  await page.keyboard.press('End');
  await expect(answer).toBeFocused();
  for (let column = 1; column < names.length; column++) await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('gridcell', { name: 'value 1', exact: true })).toBeFocused();
  await expect(answer).toBeInViewport({ ratio: 1 });
  expect(await boxOf(answer)).toEqual(before);

  await page.getByRole('button', { name: 'Columns: Rows' }).click();
  const menu = page.getByRole('group', { name: 'Columns: Rows' });
  await menu.getByLabel('All columns of the sheet').uncheck();
  await menu.getByLabel('Find a column').fill('fact 150');
  await expect(menu.getByLabel('Fact 15', { exact: true })).toBeHidden();
  await menu.getByLabel('Fact 150', { exact: true }).check();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('gridcell', { name: /^value/ })).toHaveText(['value 151']);
  await page.getByRole('button', { name: 'Columns: Rows' }).click();
  await menu.getByLabel('All columns of the sheet').check();
  await expect(page.getByRole('gridcell', { name: 'value 1', exact: true })).toBeVisible();
});

const outputs = [
  { name: 'sentiment', type: 'choice', options: ['positive', 'neutral', 'negative'] },
  { name: 'score', type: 'integer' },
  { name: 'reason', type: 'text' },
  { name: 'wants an answer', type: 'boolean' },
];

test('shows an answer beside the columns of a row at any width', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1024, height: 768 } });
  await startSession(page, 'client@demo.test');
  const names = ['Name', 'Maker', 'Country', 'Price', 'Remark', 'Supplier'];
  const cells = ['Arran teapot', 'Arran Pottery', 'Scotland', '34.00', 'Long words', 'Isle Goods'];
  const text = `${names.join()}\n${cells.join()}\n`;
  await openCompleted(page, { name: 'typed.csv', text, question, outputs });
  const head = (name: string) => page.getByRole('columnheader', { name });
  const answer = page.getByRole('gridcell', { name: /^(positive|neutral|negative)$/ });
  for (const width of [1024, 768, 700]) {
    await page.setViewportSize({ width, height: 768 });
    await expect(answer).toBeInViewport({ ratio: 1 });
    await expect(head('sentiment')).toBeInViewport({ ratio: 1 });
  }
  // Answers without room scroll after it, and keys reach each column in its order.
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(head('wants an answer')).not.toBeInViewport();
  await answer.focus();
  await page.keyboard.press('End');
  await expect(head('wants an answer')).toBeInViewport({ ratio: 1 });
  for (const name of ['reason', 'score', 'sentiment', 'Supplier', 'Remark', 'Price', 'Country']) {
    await page.keyboard.press('ArrowLeft');
    const cell = page.getByRole('gridcell').and(page.locator(':focus'));
    await expect(cell).toHaveAttribute(
      'aria-colindex',
      (await head(name).getAttribute('aria-colindex')) ?? '',
    );
    await expect(cell).toBeInViewport({ ratio: 1 });
    expect(await isCovered(cell), `${name} is covered`).toBe(false);
  }
  await page.getByRole('button', { name: /^Run again/ }).click();
  await page.getByRole('button', { name: /^The only row/ }).click();
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(head('sentiment')).toBeInViewport({ ratio: 1 });
    await expect(
      page.getByRole('gridcell', { name: cells[0] ?? '', exact: true }),
    ).toBeInViewport();
  }
});

test('keeps the figure of a busy day in its card on a phone', async ({ page, openPage }) => {
  const operator = await openPage();
  await signIn(operator, 'operator@demo.test');
  await signIn(page, 'museum@demo.test');
  const { id: user_id } = await readLocalStorage<{ id: string }>(page, 'currentUser');
  await post(operator, 'updateCreditCount', { user_id, change: 2_000, reason: 'For the figures' });
  const lines = ['Name', ...Array.from({ length: 1_200 }, (_, row) => `thing ${row}`)];
  await openCompleted(page, { name: 'long.csv', text: lines.join('\n'), question });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard');
  const figure = await boxOf(page.getByRole('img', { name: /: 1,200 used$/ }).getByText('1,200'));
  const card = await boxOf(page.getByRole('region', { name: 'Submissions used per day' }));
  expect(figure.x).toBeGreaterThanOrEqual(card.x);
  expect(figure.x + figure.width).toBeLessThanOrEqual(card.x + card.width);
});

test('fits very long names and addresses on every screen', async ({ page }) => {
  await signIn(page, 'admin@demo.test');
  const name = { first_name: 'Wilhelmine'.repeat(8), last_name: 'W'.repeat(80) };
  await post(page, 'verifyAndUpdateUserDetails', name);
  await post(page, 'addClient', { ...name, email: `${'w'.repeat(60)}@example.test` });
  await signIn(page, 'admin@demo.test', '/clients');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByText(name.first_name)).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  expect((await boxOf(menu)).width).toBe(264);

  const client = page.getByRole('row', { name: /wwww@example/ });
  await client.getByRole('button', { name: /^Manage/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('How many')).toBeVisible();
  const hidden = await dialog.evaluate((box) => box.scrollWidth - box.clientWidth);
  expect(hidden, 'what the dialog hides, in pixels').toBe(0);
  await page.keyboard.press('Escape');
  await client.getByRole('button', { name: /^Act as/ }).click();
  await expect(page.getByRole('complementary', { name: 'Acting as a client' })).toBeVisible();
  for (const path of ['/dashboard', '/profile']) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(name.first_name).first()).toBeVisible();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectToFit(page);
    }
  }
});

test('has one font of at most 60 KB', async ({ page }) => {
  const arrival = page.waitForResponse(/\.woff2$/);
  await page.goto('/auth');
  const file = new URL((await arrival).url()).pathname;
  const bytes = statSync(join(import.meta.dirname, '../dist', file)).size;
  process.stdout.write(`font: ${bytes} bytes\n`);
  expect(bytes).toBeLessThanOrEqual(60_000);
});

test('keeps everything in view where text is twice as large on a phone', async ({ page }) => {
  await startSession(page, 'museum@demo.test');
  await startBatch(page, { name: 'news.csv', text: 'Name\nLamp\n', question });
  // As wide as 390 pixels are in such letters.
  await page.setViewportSize({ width: 195, height: 422 });
  await page.goto('/dashboard');
  const bell = page.getByRole('button', { name: /^Notifications, \d new$/ });
  const icon = await boxOf(bell.locator('svg'));
  const number = await boxOf(bell.locator('xpath=following-sibling::span'));
  expect(number.x).toBeGreaterThanOrEqual(icon.x + icon.width);
  await page.goto('/history');
  const batch = page.getByRole('row', { name: 'news.csv' });
  const name = await boxOf(batch.getByRole('link', { name: 'news.csv' }));
  const download = await boxOf(batch.getByRole('button', { name: /^Download/ }));
  expect(download.y).toBeGreaterThanOrEqual(name.y + name.height);
  await page.goto('/ask');
  await chooseSample(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(195);
});

/** Whether a column that stays in view lies over the middle of a cell. */
function isCovered(cell: Locator): Promise<boolean> {
  return cell.evaluate((element) => {
    const { left, width, top, height } = element.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return above === null || !element.contains(above);
  });
}

function linesOf(target: Locator): Promise<number> {
  return target.evaluate((element) => {
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(element);
    const inner =
      element.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
    return inner / Number.parseFloat(lineHeight);
  });
}
