import { expect, type Page } from '@playwright/test';
import { expectState, question, quickSheet, startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { startSession } from './support/sign-in.ts';

const test = testOnStage();

test.beforeEach(({ page }) => startSession(page, 'client@demo.test'));

test('judges each row of a list that is filtered by judgement', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const text = quickSheet(Array.from({ length: 5 }, () => ''));
  const id = await startBatch(page, { name: 'later.csv', text, question });
  await page.goto(`/history/${id}`);
  await expectState(page, 'completed');
  const grid = page.getByRole('grid', { name: 'Rows' });
  const panel = (row: number) => page.getByRole('complementary', { name: `Row ${row}` });
  const filter = (name: string) => page.getByRole('button', { name, exact: true });
  await grid.getByRole('button', { name: 'Sort or filter: topic' }).click();
  await expect(page.getByRole('button', { name: /^topic 4/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Apply' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open row 1', exact: true }).focus();
  // A key that is held judges one row.
  for (let held = 0; held < 2; held++) await page.keyboard.down('l');
  await page.keyboard.up('l');
  await expect(page.getByRole('button', { name: 'Open row 2', exact: true })).toBeFocused();
  for (const key of ['l', 'l', 'l', 'l']) await page.keyboard.press(key);
  await filter('Later (5)').click();
  await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
  const fetched: string[] = [];
  page.on('request', (request) => request.url().endsWith('/getRows') && fetched.push('rows'));
  for (const row of [1, 2]) {
    await expect(panel(row)).toBeVisible();
    await page.keyboard.press('r');
    await expect(filter(`Right (${row})`)).toBeVisible();
  }
  await expect(panel(3)).toBeVisible();
  expect(fetched).toEqual([]);
  // The list is fetched when the window gets the focus: the open row is at another position now.
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await expect(grid).toHaveAttribute('aria-rowcount', '4');
  await expect(panel(3)).toBeVisible();
  await page.keyboard.press('w');
  await filter('Wrong (1)').click();
  await expect(page.getByRole('button', { name: 'Open row 3', exact: true })).toBeVisible();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
});

test('shows what another tab judges and corrects, and keeps it', async ({ page, context }) => {
  const outputs = [{ name: 'size', type: 'choice', options: ['large', 'right', 'small'] }];
  const text = quickSheet(Array.from({ length: 3 }, () => ''));
  const id = await startBatch(page, { name: 'both.csv', text, question, outputs });
  const other = await context.newPage();
  const panelOf = (tab: Page) => tab.getByRole('complementary', { name: 'Row 1' });
  const rightOf = (tab: Page) => panelOf(tab).getByRole('button', { name: /^Right/ });
  const sizeOf = (tab: Page) => panelOf(tab).getByRole('combobox', { name: 'size' });
  const noteOf = (tab: Page) => panelOf(tab).getByRole('textbox', { name: 'Note' });
  const save = (tab: Page) => panelOf(tab).getByRole('button', { name: 'Save' }).click();
  for (const tab of [page, other]) {
    await tab.setViewportSize({ width: 1440, height: 900 });
    await tab.goto(`/history/${id}?row=1`);
    await expectState(tab, 'completed');
    await panelOf(tab).getByText('Correct or add a note').click();
  }
  // A double click does not take it back.
  const saved: unknown[] = [];
  page.on('request', (request) => saved.push(request.postDataJSON()?.judgement));
  await rightOf(page).dblclick({ delay: 150 });
  await expect(other.getByRole('button', { name: 'Right (1)', exact: true })).toBeVisible();
  await expect(rightOf(other)).toHaveAttribute('aria-pressed', 'true');
  expect(saved).not.toContain(null);
  await sizeOf(page).selectOption('small');
  await noteOf(page).fill('Noted there.');
  await save(page);
  await expect(sizeOf(other)).toHaveValue('small');
  await expect(noteOf(other)).toHaveValue('Noted there.');
  // Only what is entered here is sent, and replaces nothing else that was changed there.
  await noteOf(other).fill('Noted here.');
  await sizeOf(page).selectOption('right');
  await save(page);
  const corrected = other.getByRole('row', { name: /topic 0/ });
  await expect(corrected.getByText('right', { exact: true })).toBeVisible();
  const warning = panelOf(other).getByText('This was changed elsewhere in the meantime.');
  await expect(warning).toHaveCount(0);
  await noteOf(page).fill('Noted there too.');
  await save(page);
  await expect(warning).toBeVisible();
  await save(other);
  await expect(warning).toHaveCount(0);
  for (const tab of [page, other]) {
    await expect(noteOf(tab)).toHaveValue('Noted here.');
    await expect(sizeOf(tab)).toHaveValue('right');
    // In the correction and in the answer of the model.
    await expect(panelOf(tab).getByRole('term').filter({ hasText: 'size' })).toHaveCount(2);
  }
  await other.close();
});
