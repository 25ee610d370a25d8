// size: lists and pages of batches share a server, and the batches that it has
import { readFileSync } from 'node:fs';
import { type Download, expect, type Page } from '@playwright/test';
import { upload } from './support/ask-page.ts';
import {
  expectState,
  openCompleted,
  question,
  quickSheet,
  sheetOf,
  startBatch,
} from './support/batches.ts';
import { post } from './support/calls.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import {
  clickForMessage,
  clickMenu,
  expectAccessibleAt,
  expectRow,
  expectToast,
  phoneAndDesk,
  readLocalStorage,
} from './support/screens.ts';
import { startSession } from './support/sign-in.ts';

const test = testOnStage({ settings: { CHAT_CONCURRENCY: '1' } });

test.beforeEach(({ page }) => startSession(page, 'client@demo.test'));

const stopCall = 'stopFileProcessing';
/** 600 rows of two seconds each, one at a time: long enough to pause, inspect and stop. */
const slowSheet = sheetOf(
  Array.from({ length: 600 }, (_, index) => `${index},topic ${index},[[slow]]`),
);

async function downloaded(page: Page, entry: string): Promise<string> {
  const arrival = page.waitForEvent('download');
  await clickMenu(page, 'Download', entry);
  return textOf(await arrival);
}

async function textOf(file: Download): Promise<string> {
  return readFileSync(await file.path(), 'utf8');
}

// This test is first: a refused upload of the browser is not repeated, and the other tests need all
// uploads of a minute.
test('lists sheets, opens one, keeps a used one and deletes an unused one', async ({ page }) => {
  const text = quickSheet(['', '']);
  await startBatch(page, { name: 'used.csv', text, question });
  await page.goto('/ask');
  await upload(page, 'spare.csv', text);
  await expect(page.getByText('2 rows, 3 columns')).toBeVisible();
  await page.goto('/sheets');
  await expect(page.getByRole('heading', { name: 'Your sheets' })).toBeVisible();
  const used = page.getByRole('row', { name: 'used.csv' });
  const spare = page.getByRole('row', { name: 'spare.csv' });
  await expect(page.getByText('To delete a sheet that batches use, delete')).toBeVisible();
  await expect(used.getByRole('button', { name: 'Delete used.csv' })).toHaveCount(0);
  await expect(spare.getByText('Not used')).toBeVisible();
  await expect(page.getByText(/of 5 GB used/)).toBeVisible();
  await expectAccessibleAt(page);
  const search = page.getByLabel('Search by name');
  await search.fill('SPARE');
  await expect(used).toHaveCount(0);
  await expect(spare).toBeVisible();
  await search.fill('zebra');
  await expect(page.getByText('No sheets match “zebra”.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all sheets' }).click();
  await used.getByRole('link', { name: 'Use used.csv' }).click();
  // The list of sheets has the same words.
  await expect(page.getByRole('heading', { level: 1, name: /^Create a Request/ })).toBeVisible();
  await expect(page.getByText('used.csv')).toBeVisible();
  await expect(page.getByText('2 rows, 3 columns')).toBeVisible();
  await expect(page).toHaveURL(/\/ask$/);
  await page.goto('/ask?sheet=01890000-0000-7000-8000-000000000000');
  await expectToast(page, 'This sheet no longer exists. Upload its file again.');
  // The earlier sheet stays.
  await expect(page.getByText('used.csv')).toBeVisible();
  await page.goto('/sheets');
  await spare.getByRole('link', { name: 'Use spare.csv' }).click();
  await expect(page).toHaveURL(/\/ask$/);
  await page.goBack();
  await spare.getByRole('button', { name: 'Delete spare.csv' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete sheet' }).click();
  await expectToast(page, 'The sheet is deleted.');
  await expect(spare).toHaveCount(0);
  await expect(used).toBeVisible();
  await page.getByRole('link', { name: 'Submit a Batch (CSV)' }).click();
  await expect(page.getByRole('button', { name: 'Use the sample sheet' })).toBeVisible();
  const gone = page.getByRole('main').getByText('This sheet no longer exists.');
  await expect(gone).toBeVisible();
  await expectAccessibleAt(page);
  await page.goBack();
  await intercept(page, '**/api/emedia/listFiles', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('follows a batch live, shows why rows failed and downloads every format', async ({ page }) => {
  const text = quickSheet(['', '[[slow]][[fail]]', '', '', '[[slow]][[fail]]', '']);
  await openCompleted(page, { name: 'topics.csv', text, question });
  // The first run may end before the page is open, so the test watches a retry. The page notes its
  // states, because the test may be too late to see the batch run.
  await page.evaluate(() => {
    const shown = new Set<string | undefined>();
    Object.assign(window, { states: () => [...shown] });
    new MutationObserver(() => {
      for (const badge of document.querySelectorAll<HTMLElement>('[data-batch-state]'))
        shown.add(badge.dataset.batchState);
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
  await page.getByRole('button', { name: 'Retry 2 failed: topics.csv' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry failed rows' }).click();
  await expect.poll(() => page.evaluate('states()')).toContain('running');
  await expectState(page, 'completed');
  // A screen reader hears progress from time to time, and the end at once.
  const live = page.getByRole('main').locator('p[aria-live="polite"]').first();
  expect(await live.textContent()).toMatch(/^Completed/);
  // Failed rows are hatched, so that colour is not the only sign.
  const bar = page.getByRole('progressbar');
  await expect(bar).toHaveAttribute('aria-valuetext', '4 of 6 answered, 2 failed');
  await expect(bar.locator('span').nth(1)).toHaveCSS('background-image', /repeating-linear/);
  await page.getByRole('button', { name: 'Failed (2)' }).click();
  await expect(page.getByRole('button', { name: 'Open row 2', exact: true })).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Rows' })).toHaveAttribute('aria-rowcount', '3');
  expect(new URL(page.url()).searchParams.get('rows')).toBe('failed');
  await page.getByRole('button', { name: 'Open row 2', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Row 5' });
  await expect(panel.getByText('The demo model was asked to fail.', { exact: true })).toBeVisible();
  await expect(panel.getByText('topic 4, large', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open row 5', exact: true })).toBeFocused();

  const served = Promise.withResolvers<void>();
  await intercept(page, '**/downloadChatGptResponse?*', async (route) => {
    await served.promise;
    await route.continue();
  });
  const download = page.getByRole('button', { name: 'Download: topics.csv' });
  await expect(download).toHaveAttribute('aria-busy', 'false');
  const arrival = page.waitForEvent('download');
  await clickMenu(page, 'Download', 'Results as CSV: topics.csv');
  await expect(download).toHaveAttribute('aria-busy', 'true');
  await expectAccessibleAt(page);
  served.resolve();
  const results = (await textOf(await arrival)).trimEnd().split(/\r?\n/);
  await expect(download).toHaveAttribute('aria-busy', 'false');
  expect(results).toHaveLength(7);
  expect(results[0]).toMatch(/^code,topic,mark,/);
  for (const [index, line] of text.trimEnd().split('\r\n').entries())
    expect(results[index]).toContain(line);
  const unchanged = (await downloaded(page, 'My file unchanged, plus columns')).split('\r\n');
  for (const [index, line] of text.trimEnd().split('\r\n').entries())
    expect(unchanged[index]?.startsWith(`${line},`)).toBe(true);
  await download.click();
  for (const column of ['Marks', 'Judgements and notes', 'Token counts'])
    await page.getByRole('checkbox', { name: column, exact: true }).check();
  await page.keyboard.press('Escape');
  const header = 'code,topic,mark,Answer,Problem,Marks,Judgement,Note,Original answer,Input tokens';
  for (const format of ['Results as CSV: topics.csv', 'My file unchanged, plus columns'])
    expect((await downloaded(page, format)).startsWith(header)).toBe(true);
  expect((await downloaded(page, 'CSV for Excel')).charCodeAt(0)).toBe(0xfeff);
  expect((await downloaded(page, 'XLSX')).slice(0, 2)).toBe('PK');
  expect(
    (await downloaded(page, 'JSONL'))
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line))),
  ).toEqual(Array(6).fill(expect.arrayContaining(['marks', 'judgement', 'note', 'tokens'])));
  expect(await downloaded(page, 'Original file')).toBe(text);
});

test('pauses, resumes, stops and deletes a batch', async ({ page, context }) => {
  const text = `${slowSheet}x,y,[[fail]]\r\n`;
  const id = await startBatch(page, { name: 'slow.csv', text, question });
  const other = await context.newPage();
  for (const tab of [other, page]) await tab.goto(`/history/${id}`);
  await page.getByRole('button', { name: 'More: slow.csv' }).click();
  await expect(page.getByText('Stop the batch first.')).toBeVisible();
  await page.keyboard.press('Escape');
  const lost = page.getByText('The server cannot be reached.').first();
  await intercept(page, '**/playOrPause', (route) => route.abort());
  await page.getByRole('button', { name: 'Pause: slow.csv' }).click();
  await expect(lost).toBeVisible();
  await page.unroute('**/playOrPause');
  await clickForMessage(other.getByRole('button', { name: 'Pause: slow.csv' }), 'playOrPause');
  for (const tab of [page, other]) await expectState(tab, 'paused');
  await expect(lost).toHaveCount(0);
  await other.close();
  await expect(page.getByText(/^\d+% · \d+ of 601 rows answered$/)).toBeVisible();
  // The download of a running batch has the answers so far, in each format.
  const lines = (await downloaded(page, 'Results as CSV: slow.csv')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(602);
  expect((await downloaded(page, 'CSV for Excel')).charCodeAt(0)).toBe(0xfeff);
  expect((await downloaded(page, 'XLSX')).slice(0, 2)).toBe('PK');
  expect((await downloaded(page, 'JSONL')).trimEnd().split('\n')).toHaveLength(601);
  await expect(page.getByText('Paused manually.')).toBeVisible();
  const sent: unknown[] = [];
  page.on('request', (request) => sent.push(request.postDataJSON()?.status));
  // A double click at the pace of a hand.
  await page.getByRole('button', { name: 'Resume: slow.csv' }).dblclick({ delay: 150 });
  await expectState(page, 'running');
  expect(sent).not.toContain('pause');
  await page.getByRole('button', { name: 'Stop: slow.csv' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop this batch?' });
  await expect(
    dialog.getByText(/^\d+ of 601 rows of “slow\.csv” (is|are) not done yet\.$/),
  ).toBeVisible();
  await expect(dialog.getByText('No more rows will be sent.')).toBeVisible();
  for (const words of [
    /^Rows already sent will finish\. You’re charged only for answers\./,
    /^Unused submissions go back to your balance\. \d+ (is|are) reserved now\.$/,
    /^You keep the answers so far\. A stopped batch can’t be resumed\.$/,
  ])
    await expect(dialog.getByText(words)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Don’t stop' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop: slow.csv' }).click();
  await clickForMessage(dialog.getByRole('button', { name: 'Stop the batch' }), stopCall);
  await expectState(page, 'stopped');
  await expect(page.getByRole('button', { name: /^Download.*slow\.csv$/ })).toBeFocused();
  await expect(page.getByText(/ not run$/).last()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume: slow.csv' })).toHaveCount(0);
  await clickMenu(page, 'More', 'Delete: slow.csv');
  await page.getByRole('button', { name: 'Delete the batch' }).click();
  await expectToast(page, 'Batch deleted.');
  await expect(page).toHaveURL('/history');
  await expect(page.getByRole('link', { name: 'slow.csv' })).toHaveCount(0);
  await page.goto(`/history/${id}`);
  await expect(page.getByRole('heading', { name: 'Batch not found' })).toBeVisible();
});

test('says what a tried batch runs and may cost before it starts', async ({ page }) => {
  const text = quickSheet(Array(9).fill(''));
  await startBatch(page, { name: 'tried.csv', text, question, preview: 2 });
  await page.goto('/history?search=tried.csv');
  await expectState(page, 'ready');
  await page.getByRole('link', { name: 'tried.csv' }).click();
  await expect(page.getByRole('button', { name: 'Play: tried.csv' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop: tried.csv' })).toHaveCount(0);
  await page.goBack();
  await clickMenu(page, 'More', 'Play: tried.csv');
  const dialog = page.getByRole('dialog', { name: 'Start this batch?' });
  await expect(
    dialog.getByText('7 rows of “tried.csv” have no answer yet. All of them run now.'),
  ).toBeVisible();
  await expect(dialog.getByText(/^They cost at most 7 submissions\./)).toBeVisible();
  await expectAccessibleAt(page);
  await clickForMessage(dialog.getByRole('button', { name: 'Start the batch' }), 'playOrPause');
  await expectState(page, 'completed');
});

test('searches batches by name and state, keeps that in the address and retries failed rows', async ({
  page,
}) => {
  for (const name of ['apples.csv', 'pears.csv'])
    await startBatch(page, { name, text: quickSheet(['', '[[fail]]']), question });
  await page.goto('/history');
  await expect(page.getByRole('link', { name: 'apples.csv' })).toBeVisible();
  await page.getByLabel('Search').fill('pears');
  await expect(page).toHaveURL('/history?search=pears');
  await expect(page.getByRole('link', { name: 'apples.csv' })).toHaveCount(0);
  await page.getByLabel('Search').fill('plums');
  await expect(page.getByText('No matching batches.')).toBeVisible();
  await page.getByLabel('Search').fill('pears');
  await page.getByRole('radio', { name: /^Completed/ }).click();
  await expect(page).toHaveURL('/history?search=pears&state=completed');
  await page.reload();
  await expect(page.getByLabel('Search')).toHaveValue('pears');
  await page.getByRole('radio', { name: /^All/ }).click();
  await page.getByLabel('Search').fill('');
  await expect(page.getByRole('link', { name: 'apples.csv' })).toBeVisible();
  await expect(page.getByRole('row', { name: /pears/ }).getByText('Completed')).toBeVisible();
  await clickMenu(page, 'More: pears.csv', 'Retry 1 failed: pears.csv');
  await page.getByRole('dialog').getByRole('button', { name: 'Retry failed rows' }).click();
  await expectToast(page, 'Retrying the failed rows.');
});

test('changes the options of a batch and retries its failed rows with them', async ({ page }) => {
  const text = quickSheet(['', '[[fail]]']);
  const id = await startBatch(page, { name: 'plums.csv', text, question });
  await page.goto(`/history/${id}`);
  await expectState(page, 'completed');
  const open = () => clickMenu(page, 'More: plums.csv', 'Change options: plums.csv');
  await open();
  const dialog = page.getByRole('dialog', { name: 'Change options' });
  await expect(dialog.getByText('Answered rows do not change.')).toBeVisible();
  await dialog.getByLabel('Temperature').fill('9');
  await dialog.getByRole('button', { name: 'Save and retry failed rows' }).click();
  await expect(dialog.getByLabel('Temperature')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Temperature').fill('0.2');
  await expect(dialog.getByLabel('Temperature')).not.toHaveAttribute('aria-invalid', 'true');
  // A problem in a closed section opens it.
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Seed').fill('one');
  await dialog.getByText('More options').click();
  await expect(dialog.getByLabel('Seed')).toBeHidden();
  await dialog.getByRole('button', { name: 'Save and retry failed rows' }).click();
  await expect(dialog.getByLabel('Seed')).toBeFocused();
  await dialog.getByLabel('Seed').fill('');
  const changed = page.waitForRequest('**/changeBatchOptions');
  await dialog.getByRole('button', { name: 'Save and retry failed rows' }).click();
  expect((await changed).postDataJSON()).toMatchObject({ id, temperature: 0.2 });
  await expectToast(page, 'Options changed. The remaining rows are running.');
  await expect(dialog).toHaveCount(0);
  await expectState(page, 'completed');
  await open();
  await expect(dialog.getByLabel('Temperature')).toHaveValue('0.2');
});

test('sorts, renames, selects and deletes batches, 20 of them on a screen', async ({ page }) => {
  // One person may upload ten files a minute, and the tests before use most of them.
  await startSession(page, 'bakery@demo.test');
  for (const name of ['zebra.csv', 'ant.csv'])
    await startBatch(page, { name, text: quickSheet(['']), question });
  await page.goto('/history?search=.csv');
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows.nth(1)).toContainText('ant.csv');
  expect((await rows.nth(1).boundingBox())?.height).toBeLessThanOrEqual(48);
  await expect(rows.nth(1)).toContainText('Describe {{topic}} {{mark}}');
  await page.getByRole('button', { name: 'Started' }).click();
  await expect(page).toHaveURL(/sort=oldest/);
  await page.getByRole('button', { name: 'Name' }).click();
  await expect(page).toHaveURL(/sort=name/);
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  // The head changes at once, the rows when they arrive. A menu closes when its row moves.
  await expect(rows.nth(1)).toContainText('ant.csv');
  await clickMenu(page, 'More: zebra.csv', 'Rename: zebra.csv');
  await page.getByRole('dialog').getByLabel('Name').fill('okapi.csv');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Batch renamed.');
  await expect(page.getByRole('link', { name: 'okapi.csv' })).toBeVisible();
  // A phone shows cards, without heads to sort by.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.locator('thead')).toBeHidden();
  const order = page.getByRole('combobox', { name: 'Sort by' });
  await expect(order).toHaveValue('name');
  await order.selectOption('Oldest first');
  await expect(page).toHaveURL(/sort=oldest/);
  await expect(page.locator('tbody tr').first()).toContainText('okapi.csv');
  await expectAccessibleAt(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(order).toBeHidden();
  await page.getByLabel('Select okapi.csv').check();
  await page.getByLabel('Select ant.csv').check();
  await expect(page.getByText('2 selected')).toBeVisible();
  await expectAccessibleAt(page);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Delete 2 batches?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expectToast(page, '2 batches deleted.');
  await expect(page.getByRole('link', { name: 'ant.csv' })).toHaveCount(0);
  await startBatch(page, { name: 'many.csv', text: quickSheet(['']), question, times: 20 });
  await page.goto('/history?search=many.csv');
  await expect(rows).toHaveCount(21);
  expect((await page.getByRole('table').boundingBox())?.height).toBeLessThanOrEqual(1100);
});

test('deletes the selected batches that can be deleted, and shows the last page that is left', async ({
  page,
}) => {
  await intercept(page, '**/api/emedia/events', (route) => route.abort());
  const start = (name: string, text: string) => startBatch(page, { name, text, question });
  const one = await start('pick one.csv', quickSheet(['']));
  await start('pick two.csv', quickSheet(['']));
  const three = await start('pick three.csv', quickSheet(Array(100).fill('[[slow]]')));
  for (const path of ['/sheets', '/activity']) {
    await page.goto(`${path}?start=100000`);
    await expect(page.getByText(/^1 to \d+ of \d+$/)).toBeVisible();
    await expect(page).toHaveURL(path);
  }
  await page.goto('/history?search=pick&sort=oldest&start=50');
  await expect(page).toHaveURL('/history?search=pick&sort=oldest');
  await expect(page.locator('[data-batch-state="completed"]')).toHaveCount(2);
  const select = (name: string) => page.getByLabel(`Select ${name}`).check();
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await select('pick three.csv');
  await expect(remove).toHaveAccessibleDescription('Stop the batch first to delete it.');
  await expectAccessibleAt(page);
  await select('pick one.csv');
  await select('pick two.csv');
  await expect(remove).toHaveAccessibleDescription('');
  // Deleted elsewhere, which this page does not notice. Its calls come first, and are refused.
  await intercept(page, '**/getProcessedFiles**', () => {});
  await post(page, 'emedia/deleteBatch', { id: one });
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 batches?' });
  await expect(dialog.getByText('1 of them has not ended yet and stays.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: 'pick two.csv' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'pick one.csv' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'pick three.csv' })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  expect((await download).suggestedFilename()).toContain('pick three');
  await post(page, `emedia/${stopCall}`, { id: three });
});

test('says once that the dashboard may be out of date', async ({ page }) => {
  await intercept(page, '**/api/emedia/events', (route) => route.abort());
  await openCompleted(page, { name: 'old.csv', text: quickSheet(['']), question });
  await page.goto('/dashboard');
  const link = page.getByRole('link', { name: 'old.csv' });
  await expect(link).toBeVisible();
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
  await intercept(page, '**/api/**', (route) => route.abort());
  const failures = (call: string) => failed.filter((path) => path.endsWith(call)).length;
  // Both are polled, and given up after three tries.
  await expect
    .poll(() => Math.min(failures('getUsage'), failures('getProcessedFiles')))
    .toBeGreaterThanOrEqual(3);
  await expect(page.getByText('This may be out of date.')).toHaveCount(1);
  await expect(link).toBeVisible();
});

test('keeps the place in a long list on the way back, and turns to the top of a page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 600 });
  await startBatch(page, { name: 'long.csv', text: quickSheet(['']), question, times: 70 });
  await page.goto('/history?search=long');
  const link = page.getByRole('link', { name: 'long.csv' }).nth(20);
  await link.scrollIntoViewIfNeeded();
  const place = () => page.evaluate(() => scrollY);
  const left = await place();
  expect(left).toBeGreaterThan(100);
  await link.click();
  await expect(page.getByRole('button', { name: 'Open row 1', exact: true })).toBeVisible();
  expect(await place()).toBe(0);
  await page.goBack();
  await expect(link).toBeInViewport();
  expect(await place()).toBe(left);
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await next.scrollIntoViewIfNeeded();
  await expect(next).toBeInViewport();
  await next.click();
  await expect(page.getByText('51 to 70 of 70')).toBeAttached();
  await expect(page.getByRole('columnheader', { name: 'Name' })).toBeInViewport();
  await page.goBack();
  await expect(page.getByText('1 to 50 of 70')).toBeInViewport();
});

test('keeps up to date in a tab beyond the live ones', async ({ page, stage }) => {
  const token = await readLocalStorage<string>(page, 'userToken');
  await page.goto('/auth/about');
  const end = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  let open = 0;
  const openOneMore = async () => {
    const { ok } = await fetch(`${stage.url}/api/emedia/events`, { headers, signal: end.signal });
    if (ok) open++;
    return open;
  };
  // The last place is free once the server has noticed that the tab left its page.
  await expect.poll(openOneMore).toBe(8);
  await page.goto('/history');
  await expect(page.getByRole('region', { name: 'Your batches' })).toBeVisible();
  const text = ['topic', 'ninth tab'].join('\n');
  await startBatch(page, { name: 'ninth.csv', text, question: 'Describe {{topic}}' });
  await expectRow(page, /ninth\.csv/);
  end.abort();
});

test('says once that a batch may be out of date when the server is gone', async ({ page }) => {
  const text = quickSheet(Array(20).fill('[[slow]]'));
  const id = await startBatch(page, { name: 'old.csv', text, question });
  await intercept(page, '**/api/emedia/events', (route) => route.abort());
  await page.goto(`/history/${id}`);
  await expectState(page, 'running');
  const firstRow = page.getByRole('button', { name: 'Open row 1', exact: true });
  await expect(firstRow).toBeVisible();
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
  await intercept(page, '**/api/emedia/**', (route) => route.abort());
  const failures = (call: string) => failed.filter((path) => path.endsWith(call)).length;
  // As after a lost connection. A page gives up after three tries.
  await expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event('online')));
      return Math.min(failures('getBatch'), failures('getRows'));
    })
    .toBeGreaterThanOrEqual(3);
  await expect(page.getByText('This may be out of date.')).toHaveCount(1);
  await expect(firstRow).toBeVisible();
  await expectAccessibleAt(page, [1440]);
});

// This test is last, because its batches hold the only place for calls.
test('has no accessibility violation in any state, on a desk and on a phone', async ({ page }) => {
  await page.goto('/history?search=nothing+has+this+name');
  await expect(page.getByText('No matching batches.')).toBeVisible();
  await expectAccessibleAt(page);
  const text = quickSheet(Array(90).fill('[[slow]]'));
  const batch = { name: 'states.csv', text, question };
  await startBatch(page, { ...batch, times: 2 });
  await page.goto(`/history/${await startBatch(page, batch)}`);
  for (const [press, name] of [
    [null, 'running'],
    ['Pause', 'paused'],
    ['Stop', 'stopped'],
  ] as const) {
    if (press) await page.getByRole('button', { name: `${press}: states.csv` }).click();
    if (press === 'Stop') await expectAccessibleAt(page);
    if (press === 'Stop') await page.getByRole('button', { name: 'Stop the batch' }).click();
    await expectState(page, name);
    await expectAccessibleAt(page);
    await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
    await expect(page.getByRole('complementary', { name: 'Row 1' })).toBeVisible();
    await expectAccessibleAt(page);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  }
  await page.getByRole('link', { name: 'Processed Batches' }).first().click();
  const menu = page.getByRole('button', { name: 'More: states.csv' });
  await menu.nth(1).click();
  await page.getByRole('button', { name: 'Pause: states.csv' }).click();
  // A batch in each state.
  for (const name of ['running', 'paused', 'stopped'] as const) await expectState(page, name);
  await expectAccessibleAt(page);
  await expectAccessibleAt(page, phoneAndDesk, () => menu.nth(2).click());
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  // The running one is in both lists.
  await expect(page.getByRole('link', { name: 'states.csv' })).toHaveCount(4);
  await expectAccessibleAt(page);
});
