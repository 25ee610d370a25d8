import { expect } from '@playwright/test';
import { expectState, question, quickSheet, sheetOf, startBatch } from './support/batches.ts';
import { post } from './support/calls.ts';
import { testOnStage } from './support/fixtures.ts';
import {
  boxOf,
  colourOf,
  countClicks,
  expectAccessible,
  expectAccessibleAt,
  expectToast,
  phoneAndDesk,
} from './support/screens.ts';
import { startSession } from './support/sign-in.ts';

const test = testOnStage();

test.beforeEach(({ page }) => startSession(page, 'client@demo.test'));

test('skips rows with nothing to ask: not failed, not charged, not retried', async ({ page }) => {
  const text = sheetOf(['1,pears,', '2,,', '3,plums,', ',,']);
  const id = await startBatch(page, { name: 'gaps.csv', text, question: 'Describe {{topic}}' });
  for (const width of phoneAndDesk) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/history/${id}`);
    await expectState(page, 'completed');
    await expect(page.getByText('Completed', { exact: true })).toBeVisible();
    await expect(page.getByText('2 skipped (empty)')).toBeVisible();
    await expect(page.getByText('2 charged')).toBeVisible();
    const bar = page.getByRole('progressbar');
    await expect(bar).toHaveAttribute('aria-valuetext', '2 of 4 answered, 2 skipped');
    await expect(page.getByRole('button', { name: /^Failed/ })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Skipped (2)' }).click();
    await expect(page.getByRole('grid', { name: 'Rows' })).toHaveAttribute(
      'aria-rowcount',
      /^[23]$/,
    );
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Open row 2/ }).click();
    const panel = page.getByRole(width === 390 ? 'dialog' : 'complementary', { name: 'Row 2' });
    await expect(panel.getByText(/^Nothing to ask: all columns of the prompt/)).toBeVisible();
  }
  await page.goto('/history');
  await expect(page.getByRole('row', { name: /gaps/ }).getByText('Completed')).toBeVisible();
});

test('shows the sheet and its answers in one grid for the keyboard', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 1440, height: 900 });
  const text = quickSheet(
    Array.from({ length: 120 }, (_, index) => (index === 5 ? '[[fail]]' : '')),
  );
  const id = await startBatch(page, { name: 'grid.csv', text, question });
  await page.goto(`/history/${id}`);
  await expectState(page, 'completed');
  const grid = page.getByRole('grid', { name: 'Rows' });
  const first = page.getByRole('button', { name: 'Open row 1', exact: true });
  await expect(page.getByRole('heading', { level: 1, name: 'grid.csv' })).toBeVisible();
  const ended = page.locator('[data-batch-state]').filter({ hasText: 'Completed, 1 failed' });
  await expect(ended).toHaveCSS('color', await colourOf(page, '--amber-ink'));
  // Each state has a picture beside its word and colour.
  await expect(ended.locator('svg')).toBeVisible();
  const state = grid.getByRole('gridcell', { name: 'Answered' }).first();
  await expect(state.locator('svg').first()).toBeVisible();
  await expect(grid.getByText('topic 0, large', { exact: true })).toBeVisible();

  await first.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ControlOrMeta+c');
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const answer = 'Demo answer (no AI): Describe topic 0, large ';
  await expect.poll(clipboard).toBe(answer);
  const toCode = ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight'];
  for (const key of [...toCode, 'Shift+ArrowRight', 'Shift+ArrowDown', 'ControlOrMeta+c'])
    await page.keyboard.press(key);
  await expect.poll(clipboard).toBe('000\ttopic 0, large\n001\ttopic 1, large');
  for (const key of ['ControlOrMeta+a', 'ControlOrMeta+c']) await page.keyboard.press(key);
  await expect.poll(async () => (await clipboard()).split('\n').length).toBe(120);
  expect((await clipboard()).split('\n').at(-1)).toMatch(/^120\tAnswered\t00119\ttopic 119/);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Home');
  const { y: top } = await boxOf(grid);
  for (const key of ['w', 'w', 'r']) await page.keyboard.press(key);
  await expect(page.getByRole('button', { name: 'Wrong (2)' })).toBeVisible();
  expect((await boxOf(grid)).y).toBe(top);
  await page.getByRole('button', { name: 'Right (1)' }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await expect(page).toHaveURL(/judged=right/);
  await page.getByRole('button', { name: 'Right (1)' }).click();
  await grid.getByRole('button', { name: 'code', exact: true }).click();
  await grid.getByRole('button', { name: 'code', exact: true }).click();
  await expect(page).toHaveURL(/sort=sheet\+0\+descending/);
  await expect(page.getByRole('button', { name: 'Open row 120', exact: true })).toBeVisible();
  await expectAccessibleAt(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await grid.getByRole('button', { name: 'code', exact: true }).click();
  await first.click();
  const opened = page.getByRole('complementary', { name: 'Row 1' });
  await opened.getByText('Correct or add a note').click();
  await post(page, 'emedia/judgeAnswers', { id, rows: [0], note: 'From another tab' });
  await opened.getByRole('textbox', { name: 'Answer' }).fill('Corrected by hand');
  await opened.getByRole('button', { name: 'Save', exact: true }).click();
  await expectToast(page, 'Saved.');
  await expect(grid.getByText('Corrected by hand')).toBeVisible();
  await expect(grid.getByText('Corrected', { exact: true })).toBeAttached();
  const note = opened.getByLabel('Note');
  await expect(note).toHaveValue('From another tab');
  await note.fill('Not saved yet');
  await opened.getByRole('button', { name: 'Undo correction' }).click();
  await expect(grid.getByText('Corrected by hand')).toHaveCount(0);
  await expect(note).toHaveValue('Not saved yet');
  await expect(opened.getByRole('button', { name: 'Right R' })).toBeFocused();
  await opened.getByRole('button', { name: 'Close' }).click();

  const panel = page.getByRole('dialog', { name: 'Filter' });
  await grid.getByRole('button', { name: 'Sort or filter: mark' }).click();
  await expect(panel.getByLabel('Column')).toBeFocused();
  await expectAccessible(page);
  await panel.getByRole('button', { name: '[[fail]] 1' }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await expect(panel).toHaveCount(0);
  await expect(page.getByText('1 of 120 rows', { exact: true })).toBeVisible();
  await page.reload();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('button', { name: 'Remove filter: mark is “[[fail]]”' }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', '121');
  const filterTopic = async (text: string) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await panel.getByLabel('Column').selectOption('topic');
    const field = panel.getByLabel('Text');
    await expect(field).toHaveAccessibleDescription(/first 1,000 characters/);
    await field.fill(text);
    await page.keyboard.press('Enter');
  };
  await filterTopic('topic 11');
  await expect(grid).toHaveAttribute('aria-rowcount', '12');
  await grid.getByLabel('Select all 11 found').check();
  await expect(page.getByText('11 selected', { exact: true }).last()).toBeVisible();
  await page.getByRole('button', { name: 'Run again…: grid.csv' }).click();
  await expect(page.getByRole('button', { name: '11 selected: grid.csv' })).toBeVisible();
  await page.keyboard.press('Escape');
  await filterTopic('no such topic');
  await expect(page.getByText('No rows match.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show all rows' }).click();
  await page.getByLabel('Search all columns').fill('no such text');
  await expect(page.getByText(/^No rows match.*first 1,000 characters/)).toBeVisible();
  await page.getByRole('button', { name: 'Show all rows' }).click();
  await grid.getByRole('button', { name: 'Sort or filter: Answer' }).click();
  await panel.getByRole('button', { name: 'Longest' }).click();
  await expect(page).toHaveURL(/sort=answer\+0\+longest/);
  await page.goto(`/history/${id}`);
  await first.focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);

  await page.setViewportSize({ width: 1000, height: 500 });
  for (let step = 0; step < 50; step++) await page.keyboard.press('ArrowDown');
  const isInView = () => {
    const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
    return top >= 0 && bottom <= innerHeight && document.activeElement?.tagName === 'TD';
  };
  expect(await page.evaluate(isInView)).toBe(true);
  const frame = page.locator('[data-more]').filter({ has: grid });
  await expect(frame).toHaveAttribute('data-more', 'end');
  // The first column scrolls with the others here, so that the answer stays.
  await page.keyboard.press('End');
  await expect(page.locator('td:focus')).toHaveText(/^Demo answer/);
  await page.keyboard.press('ArrowLeft');
  await expect(frame).toHaveAttribute('data-more', 'start');
  await page.keyboard.press('Home');

  await page.setViewportSize({ width: 1000, height: 600 });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Row 52' })).toBeVisible();
  for (const key of ['j', 'j', 'k', 'ArrowDown']) await page.keyboard.press(key);
  for (let step = 0; step < 20; step++) await page.keyboard.press('j');
  await expect(page.getByRole('complementary', { name: 'Row 74' })).toBeVisible();
  for (let step = 0; step < 20; step++) await page.keyboard.press('k');
  await expect(page.getByRole('complementary', { name: 'Row 54' })).toBeVisible();
  await expect(page).toHaveURL(/row=54/);
  await page.reload();
  await expect(page.getByRole('complementary', { name: 'Row 54' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open row 54', exact: true })).toBeVisible();
  // The open row stays in another order, and closes when a filter lacks it.
  await grid.getByRole('button', { name: 'code', exact: true }).click();
  await expect(page).toHaveURL(/sort=sheet\+0\+ascending/);
  await page.goto(`/history/${id}?sort=sheet+0+descending&row=54`);
  await expect(page.getByRole('complementary', { name: 'Row 54' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open row 54', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Failed (1)' }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await expect(page).not.toHaveURL(/row=54/);
  await expect(page.getByRole('complementary', { name: /row/i })).toHaveCount(0);
  await page.goto(`/history/${id}?row=54`);

  await page.getByRole('button', { name: 'Open row 54', exact: true }).focus();
  await page.keyboard.press('Space');
  // Space toggles the rows of all selected cells, and first chooses those that are not chosen.
  for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Space']) await page.keyboard.press(key);
  await expect(page.getByText('3 selected', { exact: true }).last()).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^\d+ selected$/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Open row 54', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Select row 56').click({ modifiers: ['Shift'] });
  const clicks = await countClicks(page);
  const uploads: string[] = [];
  page.on('request', (request) => request.url().endsWith('/saveFile') && uploads.push('another'));
  await page.getByRole('button', { name: 'Run again…: grid.csv' }).click();
  await page.getByRole('button', { name: '3 selected: grid.csv' }).click();
  await expect(page.getByText('Running again: selected rows (3) of “grid.csv”.')).toBeVisible();
  await expect(page.getByLabel('Prompt for each row')).toHaveValue(question);
  await page.getByRole('button', { name: 'Run 3 rows' }).click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  expect(clicks()).toBeLessThanOrEqual(3);
  expect(uploads).toEqual([]);
  await expectState(page, 'completed');
  await expect(page.getByRole('grid', { name: 'Rows' })).toHaveAttribute('aria-rowcount', '4');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/history/${id}`);
  const card = page.getByRole('button', { name: /^Open row 1 / });
  await card.click();
  await expect(page.getByRole('dialog', { name: 'Row 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Next row' }).click();
  const covering = page.getByRole('dialog', { name: 'Row 2' });
  await covering.getByText('Correct or add a note').click();
  await covering.getByLabel('Note').fill('Checked');
  await covering.getByRole('button', { name: 'Save', exact: true }).click();
  // A screen reader hears nothing outside of the dialog.
  await expect(covering.getByRole('status').getByText('Saved.')).toBeVisible();
  await page.goBack();
  await expect(covering).toHaveCount(0);
  await expect(card).toBeVisible();
  await page.goForward();
  await expect(covering).toBeVisible();
  await covering.getByRole('button', { name: 'Close' }).click();
  await expect(covering).toHaveCount(0);
  await card.click();
  await expect(page.getByRole('dialog', { name: 'Row 1' })).toBeVisible();
  // Closed rows leave no entries in the history.
  await page.goBack();
  await page.goBack();
  await expect(page).not.toHaveURL(new RegExp(`/history/${id}`));
});

test('keeps Hebrew cells in the order of their columns on a phone', async ({ page }) => {
  const text = sheetOf(['1,שלום,עולם']);
  const id = await startBatch(page, { name: 'hebrew.csv', text, question });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/history/${id}`);
  const card = page.getByRole('button', { name: /^Open row 1 / });
  const [first, second] = [
    card.getByText('שלום', { exact: true }),
    card.getByText('עולם', { exact: true }),
  ];
  expect((await boxOf(first)).x).toBeLessThan((await boxOf(second)).x);
});

test('runs all rows with a mark again but those that are unticked', async ({ page }) => {
  const short = Array.from({ length: 8 }, (_, row) => `lamp ${row}`);
  const others = [
    'a red bicycle with a basket, seen last Tuesday in front of the old town hall by my aunt',
    'nine grey geese over the harbour at dawn while every ship still waits for its first load',
  ];
  const text = `Product\r\n${[...short, ...others].map((cell) => `"${cell}"\r\n`).join('')}`;
  const question = 'Write one short and friendly line for the shop about {{Product}}';
  const id = await startBatch(page, { name: 'lamps.csv', text, question });
  const grid = page.getByRole('grid', { name: 'Rows' });
  for (const width of phoneAndDesk) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/history/${id}`);
    await expectState(page, 'completed');
    await page.getByRole('button', { name: '8 nearly identical' }).click();
    await expect(grid).toHaveAttribute('aria-rowcount', '9');
    const all =
      width < 640 ? page.getByText('Select all 8 found') : grid.getByLabel('Select all 8 found');
    await all.click();
    const selected = page.getByRole('region', { name: 'Rows' }).getByRole('status');
    await expect(selected.getByText('8 selected')).toBeVisible();
    // Beside the box, as a finger may.
    await grid
      .locator('[data-toggle]')
      .nth(2)
      .click({ position: { x: 38, y: 30 } });
    await expect(selected.getByText('7 selected')).toBeVisible();
    await expect(grid.getByLabel('Select row 4')).toBeChecked();
    await expect(grid.getByLabel('Select row 3')).not.toBeChecked();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Run again…: lamps.csv' }).click();
    await page.getByRole('button', { name: '7 selected: lamps.csv' }).click();
    await expect(page.getByText('Running again: selected rows (7) of “lamps.csv”.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Run 7 rows' })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Run 7 rows' }).click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await expectState(page, 'completed');
  await expect(grid).toHaveAttribute('aria-rowcount', '8');
  await expect(grid.getByText('lamp 2', { exact: true })).toHaveCount(0);

  // Filters of marks that are wider than a phone scroll with their line, and not within it.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/history/${id}`);
  const marks = page.getByRole('group', { name: 'Marks' }).locator('..');
  await marks.evaluate(() => document.documentElement.style.setProperty('font-size', '400%'));
  const hides = (part: Element) => part.scrollWidth > part.clientWidth;
  expect(await marks.locator('..').evaluate(hides)).toBe(true);
  expect(await marks.evaluate(hides)).toBe(false);
});

test('names the rows that run again, shows the first, and charges a preview of it once', async ({
  page,
}) => {
  const text = quickSheet(Array.from({ length: 60 }, () => ''));
  const id = await startBatch(page, { name: 'few.csv', text, question });
  const bar = page.getByRole('region', { name: 'Cost and start' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/history/${id}?sort=sheet+0+descending`);
  await expectState(page, 'completed');
  for (const row of [60, 54]) await page.getByLabel(`Select row ${row}`).click();
  await page.getByRole('button', { name: 'Run these again…' }).click();
  await expect(bar.getByText(/^Rows 54, 60 · 2 submissions · /)).toBeVisible();
  const shown = page.getByRole('grid', { name: 'Rows of the sheet' }).locator('[data-current]');
  for (const width of phoneAndDesk) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    await expect(bar.getByText(/^Rows 54, 60 · /)).toBeInViewport();
    await expect(shown).toHaveAttribute('aria-rowindex', '55');
    await expect(shown).toBeInViewport();
    await expect(page.getByText(/^Starts with row 54\./)).toBeVisible();
  }
  // The row between them is not tried, because it does not run.
  await page.getByRole('button', { name: 'Try 2 rows' }).click();
  await expect(page.getByText('2 of 2 answered.')).toBeVisible();
  await expect(bar.getByText(/^Rows 54, 60 · 0 submissions · /)).toBeVisible();
  await page.getByRole('button', { name: 'Run 2 rows' }).click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await expectState(page, 'completed');
  await expect(page.getByText('2 charged')).toBeVisible();
});
