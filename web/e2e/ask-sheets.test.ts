import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import readWorkbook from 'read-excel-file/node';
import { textRow, workbookOf } from '../../server/harness/test-workbook.ts';
import { button, chooseSample, openAskAs, prompt, step, upload } from './support/ask-page.ts';
import { expectState } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { clickMenu, expectAccessibleAt, expectToast, readLocalStorage } from './support/screens.ts';

const test = testOnStage();

test('reads a German export of Excel at once, and asks only when letters differ', async ({
  page,
}) => {
  await openAskAs(page, 'client@demo.test');
  const german = [
    'Firma;Umsatz;Ort',
    'Bäckerei Grün;12,50 \x80;Köln',
    'Weiß & Söhne;7,00 \x80;Jülich',
  ];
  await upload(page, 'kunden.csv', Buffer.from(`${german.join('\r\n')}\r\n`, 'latin1'));
  await expect(page.getByText('2 rows, 3 columns')).toBeVisible();
  for (const cell of ['Bäckerei Grün', '12,50 €', 'Jülich'])
    await expect(page.getByRole('gridcell', { name: cell })).toBeVisible();
  await expect(prompt(page)).toBeVisible();
  await button(page, 'Change file').click();
  await upload(page, 'latin.csv', Buffer.from('Name,Price\nCafé crème,3\nSoufflé,7\n', 'latin1'));
  await expect(page.getByText('This file can be read in more than one way.')).toBeVisible();
  await expect(
    step(page, 'Prompt').getByText('Confirm how to read this file first.'),
  ).toBeVisible();
  await button(page, 'Read as Western European (Windows-1252), comma').click();
  await expect(page.getByRole('gridcell', { name: 'Café crème' })).toBeVisible();
  await expect(prompt(page)).toBeVisible();
});

test('runs the chosen sheet of a workbook in typed columns', async ({ page }) => {
  await openAskAs(page, 'client@demo.test');
  const people = Array.from({ length: 50 }, (_, row) =>
    row % 2 ? ['Zoë', '東京'] : ['Ada', 'London'],
  );
  const sheets = {
    Notes: textRow('Note') + textRow('Say nothing'),
    People: textRow('Name', 'City') + people.map((cells) => textRow(...cells)).join(''),
  };
  await upload(page, 'people.xlsx', await workbookOf({ sheets }));
  await expect(page.getByText('This workbook has several sheets.')).toBeVisible();
  await button(page, 'Use “People”').click();
  await expect(page.getByText('50 rows, 2 columns · sheet “People”')).toBeVisible();
  const header = page.getByRole('switch', { name: 'First row is a header' });
  await header.click();
  await expect(page.getByText('51 rows, 2 columns')).toBeVisible();
  await header.click();
  await expect(page.getByText('50 rows, 2 columns')).toBeVisible();
  await button(page, 'Change file').click();
  await button(page, 'Keep people.xlsx').click();
  await prompt(page).fill('Greet {{Name}} from {{City}}.');
  await page.getByLabel('Answer as').selectOption('Columns');
  // A double click removes one column: the next one takes its place.
  await button(page, 'Add column').click();
  await button(page, 'Remove column 1').dblclick();
  await expect(button(page, /^Remove column/)).toHaveCount(1);
  const types = [
    ['score', 'Whole number'],
    ['local', 'Yes or no'],
    ['since', 'Date'],
  ] as const;
  for (const [index, [name, type]] of types.entries()) {
    if (index > 0) await button(page, 'Add column').click();
    const column = page.getByRole('group', { name: `Column ${index + 1}` });
    await column.getByLabel('Name').fill(name);
    await column.getByLabel('Type').selectOption(type);
  }
  const last = page.getByRole('group', { name: 'Column 3' });
  await last.getByLabel('Type').selectOption('One of a list');
  const list = last.getByLabel('List');
  await expect(list).toHaveAccessibleDescription(/^One entry per line/);
  await expect(list).toHaveAttribute('aria-invalid', 'false');
  await list.focus();
  await last.getByLabel('Name').focus();
  await expect(list).toHaveAccessibleDescription('List at least one option.');
  await last.getByLabel('Type').selectOption('Date');
  await button(page, 'Run 50 rows').click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await expectState(page, 'completed');
  const id = page.url().split('/').at(-1);
  const headers = { authorization: `Bearer ${await readLocalStorage(page, 'userToken')}` };
  const result = '/api/emedia/downloadChatGptResponse?format=xlsx';
  await expect
    .poll(async () => {
      const body = await (await page.request.post(result, { headers, data: { file: id } })).body();
      const [table] = await readWorkbook(body);
      return table?.data.map((cells) => cells.slice(0, 5));
    })
    .toEqual([
      ['Name', 'City', 'score', 'local', 'since'],
      ...people.map((cells) => [
        ...cells,
        expect.any(Number),
        expect.any(Boolean),
        expect.any(Date),
      ]),
    ]);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(`/history/${id}?row=1`);
  const opened = page.getByRole('dialog', { name: 'Row 1' });
  await opened.getByText('Correct or add a note').click();
  const local = opened.getByRole('combobox', { name: 'local' });
  const other = (await local.inputValue()) === 'Yes' ? 'No' : 'Yes';
  await local.selectOption(other);
  await opened.getByRole('textbox', { name: 'score' }).fill('many');
  await button(page, 'Save').click();
  await expect(opened.getByText('Must be a whole number.')).toBeVisible();
  await opened.getByRole('textbox', { name: 'score' }).fill('77');
  await button(page, 'Save').click();
  const corrected = (column: string) =>
    opened.locator('dl').first().locator('div', { hasText: column }).locator('dd').first();
  await expect(corrected('score')).toHaveText('77');
  await expect(corrected('local')).toHaveText(other);
});

test('says what it repaired, offers the repaired file, and undoes a repair with one press', async ({
  page,
}) => {
  await openAskAs(page, 'bakery@demo.test');
  const people = ['Name,City,Orders', 'Ada,London,4', 'Zoë,Paris,12', 'Kim,Oslo,7'];
  const lines = ['Orders of March', '', ...people];
  await upload(page, 'orders.csv', `${lines.join('\n')}\n`);
  await expect(page.getByText('3 rows, 3 columns')).toBeVisible();
  const issue = page.getByRole('listitem').filter({ has: button(page, 'Undo') });
  await expect(issue).toContainText('Rows above the table, left out: 1.');
  const downloading = page.waitForEvent('download');
  await button(page, 'Download the repaired file').click();
  const repaired = await downloading;
  expect(repaired.suggestedFilename()).toBe('orders repaired.csv');
  const text = readFileSync(await repaired.path(), 'utf8');
  expect(text.trim().split(/\r?\n/)).toEqual(people);
  await issue.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('3 rows, 3 columns')).toHaveCount(0);
});

test('leaves out rows above a table that were taken for it, also in a workbook', async ({
  page,
}) => {
  await openAskAs(page, 'bakery@demo.test');
  const heading = (name: string) => page.getByRole('columnheader', { name });
  await upload(page, 'teas.csv', 'Of May,\nName,Taste\nAssam,malty\n');
  await expect(heading('Of May')).toBeVisible();
  const leaveOut = async (count: string) => {
    await page.getByText('Import settings').click();
    await page.getByLabel('Rows above the table').selectOption(count);
    await button(page, 'Apply').click();
  };
  await leaveOut('1');
  await expect(heading('Taste')).toBeVisible();
  await expect(page.getByText('1 row, 2 columns')).toBeVisible();
  await expect(page.getByText('Rows above the table, left out: 1.')).toBeVisible();
  const workbook = await workbookOf({
    sheets: { May: textRow('Of May') + textRow('Name', 'Taste') + textRow('Assam', 'malty') },
  });
  await button(page, 'Change file').click();
  await upload(page, 'teas.xlsx', workbook);
  await expect(heading('Of May')).toBeVisible();
  await leaveOut('1');
  await expect(heading('Taste')).toBeVisible();
});

test('copies every row of a sheet, also those that are not loaded', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAskAs(page, 'bakery@demo.test');
  const rows = Array.from({ length: 450 }, (_, index) => `${index},thing ${index}`);
  await upload(page, 'things.csv', ['Number,Name', ...rows].join('\n'));
  await button(page, 'Open row 1').first().focus();
  for (const key of ['ControlOrMeta+a', 'ControlOrMeta+c']) await page.keyboard.press(key);
  const lines = async () =>
    (await page.evaluate(() => navigator.clipboard.readText()))
      .split('\n')
      .map((line) => line.trim());
  await expect.poll(async () => (await lines()).length).toBe(450);
  expect((await lines())[300]).toBe('301\t300\tthing 300');
});

test('folds what it found in a file on a phone, and wherever its rows run again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAskAs(page, 'museum@demo.test');
  const lines = ['Name,City', 'Ada,London', '', 'Zoë', 'Kim,Oslo,7', 'Lea,Rome'];
  await upload(page, 'uneven.csv', `${lines.join('\n')}\n`);
  const summary = page.locator('summary').filter({ hasText: '3 issues found' });
  const issue = page.getByRole('listitem').filter({ hasText: 'the missing ones are empty' });
  await expect(summary).toBeVisible();
  await expect(issue).toBeHidden();
  await expect(page.getByRole('gridcell', { name: 'Ada' })).toBeInViewport();
  await expect(prompt(page)).toBeInViewport();
  await summary.click();
  await expect(issue).toBeVisible();
  await expect(button(page, 'Download the repaired file')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await prompt(page).fill('Greet {{Name}}.');
  await button(page, 'Run 4 rows').click();
  await expectState(page, 'completed');
  await clickMenu(page, 'Run again…: uneven.csv', 'All 4 rows');
  await expect(summary).toBeVisible();
  await expect(issue).toBeHidden();
});

test('refuses a paste that is too large in words, without sending it', async ({ page }) => {
  await openAskAs(page, 'bakery@demo.test');
  await expect(button(page, 'Choose a file')).toBeVisible();
  await intercept(page, '**/saveFile', () => {
    throw new Error('It was sent.');
  });
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Name\tCity\n'.repeat(21_000_000));
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new ClipboardEvent('paste', options));
  });
  await expect(page.getByRole('alert').getByText(/is larger than/)).toBeVisible();
});

test('fills in the prompt for a sheet with a single column', async ({ page }) => {
  await openAskAs(page, 'museum@demo.test');
  await page.getByText('Paste text instead').click();
  await page.getByLabel('Rows', { exact: true }).fill('Prompt\nSay hello\nSay goodbye\n');
  await button(page, 'Use this text').click();
  await expect(page.getByText('2 rows, 1 column')).toBeVisible();
  await expect(prompt(page)).toHaveValue('{{Prompt}}');
  await button(page, 'Next').click();
  await expect(step(page, 'Preview').getByText('Say goodbye')).toBeVisible();
  const keywords = Array.from({ length: 28 }, (_, index) => `best arran teapot ${2000 + index}`);
  const choose = (name: string, lines: string[]) => upload(page, name, lines.join('\n'));
  await button(page, 'Change file').click();
  await choose('keywords.txt', keywords);
  await expect(page.getByText('28 rows, 1 column')).toBeVisible();
  // The first of a few words may be a name or a row, and also a phone shows that choice.
  await page.setViewportSize({ width: 390, height: 844 });
  await button(page, 'Change file').click();
  await choose('goods.txt', ['arran teapot', 'brass lamp']);
  await expect(page.getByText('1 row, 1 column')).toBeVisible();
  await expect(page.getByText('“arran teapot” is the name of the column')).toBeVisible();
  await expectAccessibleAt(page);
  await button(page, 'Use it as a row').click();
  await expect(page.getByText('2 rows, 1 column')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  // A name without spaces is as wide as the page.
  await button(page, 'Change file').click();
  await choose(`${'x'.repeat(190)}.csv`, ['Name', 'Teapot']);
  await expect(page.getByText('1 row, 1 column')).toBeVisible();
  // The prompt was made for the sheet, so it goes with it.
  await button(page, 'Change file').click();
  await choose('goods.csv', ['Name,Price', 'Teapot,34']);
  await expect(page.getByText('1 row, 2 columns')).toBeVisible();
  await expect(prompt(page)).toHaveValue('');
});

test('takes cells that are pasted from a spreadsheet, and says why one cell is no sheet', async ({
  page,
}) => {
  const paste = (text: string) =>
    page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      clipboardData.setData('text/html', '<table></table>');
      const options = { clipboardData, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new ClipboardEvent('paste', options));
    }, text);
  await openAskAs(page, 'museum@demo.test');
  await expect(button(page, 'Choose a file')).toBeVisible();
  await paste('Berlin\r\n');
  await expect(page.getByText('That is a single cell.')).toBeVisible();
  await paste('City, Land\tNote\r\nBerlin, Germany\t"two\nlines"\r\n');
  await expect(page.getByText('1 row, 2 columns')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'City, Land' })).toBeVisible();
});

test('says what is wrong with a file and accepts the next one', async ({ page }) => {
  await openAskAs(page, 'bakery@demo.test');
  await upload(page, 'empty.csv', Buffer.alloc(0));
  await expect(page.getByRole('alert').getByText('empty.csv is empty.')).toBeVisible();
  await upload(page, 'picture.csv', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const refusal = page.getByRole('alert').filter({ hasText: /\w/, hasNotText: 'empty.csv' });
  // In place, and for three seconds as a toast.
  await expect(refusal).toHaveCount(2);
  await expect(refusal).toHaveCount(1);
  // Above the fold of a phone, beside the button that was used.
  await page.setViewportSize({ width: 390, height: 844 });
  await upload(page, 'prices.xlsx', 'not a workbook at all');
  const notice = page.getByRole('alert').filter({ hasText: /^This is not a workbook/ });
  await expect(notice).toHaveCount(1);
  const [said, paste] = [notice, page.getByText('Paste text instead')].map((it) =>
    it.boundingBox(),
  );
  expect((await said)?.y).toBeLessThan((await paste)?.y ?? 0);
  await page.setViewportSize({ width: 1280, height: 720 });
  // What was wrong in the file, and in which line.
  const lines = ['\ufeffName;Note', '"Ada";"two', 'lines"', 'Kim'];
  await upload(page, 'notes.csv', lines.join('\r\n'));
  await expect(page.getByText('2 rows, 2 columns')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Name', exact: true })).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^two\s+lines$/ })).toBeVisible();
  await expect(page.getByText(/^Line 4: 1 cell instead of 2/)).toBeVisible();
  await button(page, 'Change file').click();
  await chooseSample(page);
});

test('takes a file that is dropped anywhere on the page', async ({ page }) => {
  const drop = (name: string, content: string, onto: string) =>
    page.evaluate(
      ([name, content, onto]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], name));
        const options = { dataTransfer, bubbles: true, cancelable: true };
        // Refused, the browser would open the file in the place of the page.
        return ['dragover', 'drop'].map(
          (type) => !document.querySelector(onto)?.dispatchEvent(new DragEvent(type, options)),
        );
      },
      [name, content, onto] as const,
    );
  await openAskAs(page, 'museum@demo.test');
  await expect(button(page, 'Choose a file')).toBeVisible();
  expect(await drop('towns.csv', 'Town\nPeel\nRamsey\n', 'header')).toEqual([true, true]);
  await expect(page.getByText('2 rows, 1 column')).toBeVisible();
  // Also in the place of a sheet, which stays until the other one is there.
  await prompt(page).fill('Where is {{Town}}?');
  expect(await drop('empty.csv', '', 'textarea')).toEqual([true, true]);
  await expect(page.getByText('empty.csv is empty.')).toBeVisible();
  await button(page, 'Keep towns.csv').click();
  await expect(prompt(page)).toHaveValue('Where is {{Town}}?');
  await drop('more.csv', 'Town\nPeel\nRamsey\nLaxey\n', 'textarea');
  await expect(page.getByText('3 rows, 1 column')).toBeVisible();
  await expect(prompt(page)).toHaveValue('Where is {{Town}}?');
});

test('runs nothing while another file is chosen or read', async ({ page }) => {
  await openAskAs(page, 'admin@demo.test');
  await chooseSample(page);
  await prompt(page).fill('Praise {{Name}}.');
  const run = button(page, 'Run 12 rows');
  await expect(run).toBeEnabled();
  const bar = page.getByRole('region', { name: 'Cost and start' });
  await button(page, 'Change file').click();
  await expect(bar).toContainText('Choose the other file, or keep this one.');
  await expect(run).toHaveCount(0);
  await button(page, 'Keep sample-products.csv').click();
  await expect(run).toBeEnabled();
  await button(page, 'Change file').click();
  const isSent = Promise.withResolvers<void>();
  await intercept(page, '**/saveFile', async (route) => {
    await isSent.promise;
    await route.continue();
  });
  await upload(page, 'other.csv', 'Name,City\nAda,London\nZoë,Paris\n');
  await expect(page.getByRole('dialog').getByText('other.csv')).toBeVisible();
  await expect(bar).toContainText('Choose the other file, or keep this one.');
  await expect(run).toHaveCount(0);
  isSent.resolve();
  await expect(button(page, 'Run 2 rows')).toBeEnabled();
});

test('stores a file that has arrived also when its page is left', async ({ page }) => {
  await openAskAs(page, 'museum@demo.test');
  const network = await page.context().newCDPSession(page);
  const answered = Promise.withResolvers<string>();
  network.once('Fetch.requestPaused', ({ requestId }) => answered.resolve(requestId));
  const patterns = [{ urlPattern: '*/saveFile', requestStage: 'Response' as const }];
  await network.send('Fetch.enable', { patterns });
  // The page that is left stays for a while after the address has changed.
  await network.send('Emulation.setCPUThrottlingRate', { rate: 8 });
  await upload(page, 'arrived.csv', 'Name\nLamp\n');
  await expect(page.getByText('Reading arrived.csv…')).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(page).toHaveURL('/dashboard');
  const toast = expectToast(page, 'arrived.csv is uploaded. You find it under Sheets.');
  await network.send('Fetch.continueRequest', { requestId: await answered.promise });
  await toast;
  await page.goto('/sheets');
  await expect(page.getByRole('rowheader', { name: 'arrived.csv' })).toBeVisible();
});

test('shows the answers of random rows wherever they are in a long sheet', async ({ page }) => {
  await openAskAs(page, 'admin@demo.test');
  const rows = Array.from({ length: 20_000 }, (_, row) => `${row},thing ${row}`);
  await upload(page, 'many.csv', ['Number,Name', ...rows].join('\n'));
  await prompt(page).fill('Praise {{Name}}.');
  await button(page, 'Try 5 random rows').click();
  await expect(page.getByText('5 of 5 answered.')).toBeVisible();
  const shown = page.getByRole('grid').getByText('Demo answer (no AI): Praise');
  await expect(shown.first()).toBeVisible();
  const answers = page.getByRole('button', { name: /^Answer for row/ });
  await expect(answers).toHaveCount(5);
  await page.reload();
  await expect(answers).toHaveCount(5);
  for (const answer of await answers.all()) {
    await answer.click();
    const number = ((await answer.textContent()) ?? '').replace(',', '');
    await expect(shown.getByText(`thing ${Number(number) - 1}.`)).toBeVisible();
  }
});
