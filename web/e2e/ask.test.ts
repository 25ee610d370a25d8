// size: the steps of one page share a server, and the sheets on it
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import readWorkbook from 'read-excel-file/node';
import { textRow, workbookOf } from '../../server/src/lib/workbook/test-workbook.ts';
import { expectState } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { expectAccessible, phoneAndDesk, readLocalStorage } from './support/screens.ts';
import { signIn, signInAs } from './support/sign-in.ts';

const test = testOnStage();

test.beforeEach(async ({ page }) => {
  await signIn(page, 'client@demo.test');
  await page.goto('/ask');
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const prompt = (page: Page) => page.getByLabel('Prompt for each row');
const step = (page: Page, title: string) => page.getByRole('region', { name: title });
const figure = (page: Page, name: string) => page.getByRole('row', { name }).getByRole('cell');

async function chooseSample(page: Page) {
  await button(page, 'Use the sample sheet').click();
  await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
}

/** A person may upload ten files a minute, so the tests of this file spread over several people. */
async function openAskAs(page: Page, email: string) {
  await signInAs(page, email);
  await page.goto('/ask');
}

async function uploadBytes(page: Page, name: string, buffer: Buffer) {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

async function countBatches(page: Page): Promise<number> {
  const headers = { authorization: `Bearer ${await readLocalStorage(page, 'userToken')}` };
  const response = await page.request.post('/api/emedia/getProcessedFiles', { headers, data: {} });
  return (await response.json()).total;
}

test('runs an uploaded sheet and does not charge previewed rows again', async ({ page }) => {
  await chooseSample(page);
  await prompt(page).fill('Describe {{Name}} in one sentence.');
  await expect(
    step(page, 'Preview').getByText('Describe Arran teapot in one sentence.'),
  ).toBeVisible();
  await button(page, 'Try 2 rows').click();
  await expect(page.getByText('2 of 2 answered.')).toBeVisible();
  const answers = page.getByRole('grid').getByText('Demo answer (no AI)');
  await expect(answers).toHaveCount(2);
  await expect(figure(page, 'Already answered').getByText('2', { exact: true })).toBeVisible();
  await page.reload();
  await expect(answers).toHaveCount(2);
  await expect(figure(page, 'Submissions needed')).toHaveText('10');
  await expect(figure(page, 'Balance after')).toHaveText('988');
  await button(page, 'Run 12 rows').click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await page.goto('/ask');
  await expect(button(page, 'Choose a file')).toBeVisible();
});

test('answers in typed columns, from the sheet to the result file', async ({ page, browser }) => {
  await chooseSample(page);
  await prompt(page).fill('Rate {{Name}}.');
  await page.getByLabel('Answer as').selectOption('Columns');
  await expect(page.getByText('Name at least one column.')).toBeVisible();
  const column = (number: number) => page.getByRole('group', { name: `Column ${number}` });
  await column(1).getByLabel('Name').fill('size');
  await column(1).getByLabel('Type').selectOption('One of a list');
  await column(1).getByLabel('List').fill('small\nlarge');
  await button(page, 'Add column').click();
  await expect(column(2).getByLabel('Name')).toBeFocused();
  await page.keyboard.type('score');
  await column(2).getByLabel('Type').selectOption('Whole number');
  await column(2).getByLabel('What belongs here').fill('From 1 to 5');
  await button(page, 'Move column 2 up').press('Enter');
  await expect(button(page, 'Move column 1 up')).toBeFocused();
  await page.reload();
  await expect(column(1).getByLabel('Name')).toHaveValue('score');
  await expectAccessible(page);
  await button(page, 'Try 2 rows').click();
  await expect(page.getByText('2 of 2 answered.')).toBeVisible();
  await button(page, 'Run 12 rows').click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  const file = page.url().split('/').at(-1);
  const headers = { authorization: `Bearer ${await readLocalStorage(page, 'userToken')}` };
  const data = { file, format: 'jsonl' };
  await expect(async () => {
    const answer = await page.request.post('/api/emedia/downloadChatGptResponse', {
      headers,
      data,
    });
    const lines = (await answer.text()).trim().split('\n');
    const answers = lines.map((line) => JSON.parse(line).values ?? {});
    expect(answers).toHaveLength(12);
    for (const { score, size } of answers) {
      expect([1, 2, 3, 4, 5]).toContain(score);
      expect(['small', 'large']).toContain(size);
    }
  }).toPass();
  await expectState(page, 'completed');
  const grid = page.getByRole('grid', { name: 'Rows' });
  await expect(grid.getByRole('columnheader', { name: 'size' })).toBeVisible();
  await grid.getByRole('button', { name: 'score', exact: true }).click();
  const scores = grid.locator('td[data-column="6"]');
  await expect(async () => {
    const shown = await scores.allTextContents();
    expect(shown).toHaveLength(12);
    expect(shown).toEqual(shown.toSorted());
  }).toPass();
  expect(await grid.textContent()).not.toContain('{');
  await button(page, 'Columns: Rows').click();
  let stored = 0;
  page.on('requestfinished', (request) => {
    stored += Number(request.url().endsWith('/changeSheetView'));
  });
  await button(page, 'Move size left').click();
  await button(page, 'Move Price left').click();
  await expect.poll(() => stored).toBe(2);
  await expectAccessible(page);
  const headsOn = (page: Page) =>
    page.getByRole('grid').getByRole('columnheader').getByRole('button').filter({ hasText: /./ });
  const arranged = ['#', 'State', 'Name', 'Price', 'Material', 'size', 'score'];
  await page.reload();
  await expect(headsOn(page)).toHaveText(arranged);
  const elsewhere = await browser.newPage({ baseURL: new URL(page.url()).origin });
  await signIn(elsewhere, 'client@demo.test');
  await elsewhere.goto(page.url());
  await expect(headsOn(elsewhere)).toHaveText(arranged);
  await elsewhere.close();
});

test('starts a batch once when the response to the start is lost', async ({ page }) => {
  await chooseSample(page);
  await prompt(page).fill('Name the material of {{Name}}.');
  const before = await countBatches(page);
  let isLost = false;
  await page.route('**/askChatGpt', async (route) => {
    if (isLost || !route.request().postDataJSON().query.start) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await button(page, 'Run 12 rows').click();
  await expect(page.getByText('The server cannot be reached.').first()).toBeVisible();
  await page.reload();
  await button(page, 'Run 12 rows').dblclick();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  expect(await countBatches(page)).toBe(before + 1);
});

test('reads a German export of Excel at once, and asks only when letters differ', async ({
  page,
}) => {
  const german = [
    'Firma;Umsatz;Ort',
    'Bäckerei Grün;12,50 \x80;Köln',
    'Weiß & Söhne;7,00 \x80;Jülich',
  ];
  await uploadBytes(page, 'kunden.csv', Buffer.from(`${german.join('\r\n')}\r\n`, 'latin1'));
  await expect(page.getByText('2 rows, 3 columns')).toBeVisible();
  for (const cell of ['Bäckerei Grün', '12,50 €', 'Jülich'])
    await expect(page.getByRole('gridcell', { name: cell })).toBeVisible();
  await expect(prompt(page)).toBeVisible();
  await button(page, 'Choose another file').click();
  await uploadBytes(
    page,
    'latin.csv',
    Buffer.from('Name,Price\nCafé crème,3\nSoufflé,7\n', 'latin1'),
  );
  await expect(page.getByText('This file can be read in more than one way.')).toBeVisible();
  await expect(
    step(page, 'Prompt').getByText('Confirm how to read this file first.'),
  ).toBeVisible();
  await button(page, 'Read as Western European (Windows-1252), comma').click();
  await expect(page.getByRole('gridcell', { name: 'Café crème' })).toBeVisible();
  await expect(prompt(page)).toBeVisible();
});

for (const width of phoneAndDesk)
  test(`runs the chosen sheet of a workbook in typed columns at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const people = Array.from({ length: 50 }, (_, row) =>
      row % 2 ? ['Zoë', '東京'] : ['Ada', 'London'],
    );
    const sheets = {
      Notes: textRow('Note') + textRow('Say nothing'),
      People: textRow('Name', 'City') + people.map((cells) => textRow(...cells)).join(''),
    };
    await uploadBytes(page, 'people.xlsx', await workbookOf({ sheets }));
    await expect(page.getByText('This workbook has several sheets.')).toBeVisible();
    await button(page, 'Use “People”').click();
    await expect(page.getByText('50 rows, 2 columns · sheet “People”')).toBeVisible();
    const header = page.getByRole('switch', { name: 'First row is a header' });
    await header.click();
    await expect(page.getByText('51 rows, 2 columns')).toBeVisible();
    await header.click();
    await expect(page.getByText('50 rows, 2 columns')).toBeVisible();
    await button(page, 'Choose another file').click();
    await button(page, 'Keep people.xlsx').click();
    await prompt(page).fill(`Greet {{Name}} from {{City}} at ${width}.`);
    await page.getByLabel('Answer as').selectOption('Columns');
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
    await button(page, 'Run 50 rows').click();
    await expect(page).toHaveURL(/\/history\/[^/]+$/);
    await expectState(page, 'completed');
    const id = page.url().split('/').at(-1);
    const headers = { authorization: `Bearer ${await readLocalStorage(page, 'userToken')}` };
    const result = '/api/emedia/downloadChatGptResponse?format=xlsx';
    await expect
      .poll(async () => {
        const body = await (
          await page.request.post(result, { headers, data: { file: id } })
        ).body();
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
  });

test('leaves empty rows out of the cost, and warns of rows whose column is empty', async ({
  page,
}) => {
  await openAskAs(page, 'museum@demo.test');
  const lines = ['a,b', '1,x', ',', ' ,  ', '2,y', '3,'];
  await uploadBytes(page, 'blank.csv', Buffer.from(lines.join('\n')));
  await expect(page.getByText('2 empty rows')).toBeVisible();
  await prompt(page).fill('Say {{a}} to {{b}}');
  await expect(figure(page, 'Empty rows')).toHaveText('2');
  await expect(figure(page, 'Rows with empty values')).toHaveText('1');
  await expect(figure(page, 'Submissions needed')).toHaveText('3');
  await prompt(page).fill('Say hello to {{b}}');
  await expect(figure(page, 'Empty rows')).toHaveText('3');
  await expect(figure(page, 'Submissions needed')).toHaveText('2');
});

test('offers to run as many rows as the monthly limit allows', async ({ page, openPage }) => {
  const admin = await openPage();
  await signIn(admin, 'admin@demo.test');
  const headers = { authorization: `Bearer ${await readLocalStorage(admin, 'userToken')}` };
  const call = async (path: string, data: object) =>
    (await admin.request.post(`/api/${path}`, { headers, data })).json();
  const { users } = await call('userList', { search: 'museum@demo.test' });
  const user_id = users[0].id;
  await call('setClientLimits', { user_id, monthly_limit: 88 });
  await openAskAs(page, 'museum@demo.test');
  const rows = Array.from({ length: 120 }, (_, index) => `${index},thing ${index}`);
  await uploadBytes(page, 'things.csv', Buffer.from(['Number,Name', ...rows].join('\n')));
  await prompt(page).fill('Describe {{Name}}.');
  await expect(
    page.getByText(/^Your monthly limit of 88 submissions leaves 88 until/),
  ).toBeVisible();
  await expect(button(page, /^Run /)).toHaveText('Run 88 rows');
  await button(page, 'Run 88 rows').click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await call('setClientLimits', { user_id, monthly_limit: null });
});

test('says what it repaired, offers the repaired file, and undoes a repair with one press', async ({
  page,
}) => {
  await openAskAs(page, 'bakery@demo.test');
  const people = ['Name,City,Orders', 'Ada,London,4', 'Zoë,Paris,12', 'Kim,Oslo,7'];
  const lines = ['Orders of March', '', ...people];
  await uploadBytes(page, 'orders.csv', Buffer.from(`${lines.join('\n')}\n`));
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

test('refuses a paste that is too large in words, without sending it', async ({ page }) => {
  await openAskAs(page, 'bakery@demo.test');
  await expect(button(page, 'Choose a file')).toBeVisible();
  await page.route('**/saveFile', () => {
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

test('completes column names by keyboard', async ({ page }) => {
  await chooseSample(page);
  await prompt(page).focus();
  await page.keyboard.type('Describe {{');
  await expect(
    page.getByRole('option', { name: 'Name', exact: true, selected: true }),
  ).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: 'Material', selected: true })).toBeVisible();
  await expect(page.getByText('Close the {{ with }}.')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await page.keyboard.type(' and {{pr');
  await page.keyboard.press('Enter');
  await page.keyboard.type('. {{na');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expect(prompt(page)).toHaveValue('Describe {{Material}} and {{Price}}. {{na');
  await expect(page.getByText('Close the {{ with }}.')).toBeVisible();
  await prompt(page).fill('Sell {{');
  await page.keyboard.press('Enter');
  await expect(prompt(page)).toHaveValue('Sell {{Name}}');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(prompt(page)).toHaveValue('Sell {{');
  await prompt(page).fill('Sell');
  await button(page, 'Price').click();
  await expect(prompt(page)).toHaveValue('Sell {{Price}}');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(prompt(page)).toHaveValue('Sell');
  await prompt(page).fill('Name a colour for {{Name}}.');
  await expect(button(page, 'Run 12 rows')).toBeEnabled();
  await prompt(page).press('ControlOrMeta+Enter');
  await expect(page.getByText('1 of 1 answered.')).toBeVisible();
  // The cost stays while the next one is fetched.
  await page.route('**/askChatGpt', async (route) => {
    await expect(figure(page, 'Rows').first()).toHaveText('12');
    await route.continue();
  });
  const quoted = page.waitForResponse('**/askChatGpt');
  await prompt(page).fill('Name two colours for {{Name}}.');
  await quoted;
});

test('names an unknown variable and fills it in once it is saved', async ({ page }) => {
  await chooseSample(page);
  await prompt(page).fill('Describe {{Name}}, {{tone}}.');
  await expect(page.getByText('There’s no column or saved variable named “tone”.')).toBeVisible();
  await expect(step(page, 'Confirm').getByText('Unknown name: “tone”.')).toBeVisible();
  await page.getByText('Saved variables', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('tone');
  await page.getByLabel('Text', { exact: true }).fill('in a friendly voice');
  await button(page, 'Save').click();
  await expect(
    step(page, 'Preview').getByText('Describe Arran teapot, in a friendly voice.'),
  ).toBeVisible();
});

test('keeps the draft through a reload and hides it from other people', async ({ page }) => {
  await chooseSample(page);
  await prompt(page).fill('Praise {{Name}}.');
  await page.reload();
  await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
  await expect(prompt(page)).toHaveValue('Praise {{Name}}.');
  await signInAs(page, 'operator@demo.test');
  await page.goto('/ask');
  await expect(button(page, 'Choose a file')).toBeVisible();
  await expect(page.getByText('Praise')).toHaveCount(0);
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
  const upload = (name: string, lines: string[]) =>
    uploadBytes(page, name, Buffer.from(lines.join('\n')));
  await button(page, 'Choose another file').click();
  await upload('keywords.txt', keywords);
  await expect(page.getByText('28 rows, 1 column')).toBeVisible();
  // The prompt was made for the sheet, so it goes with it.
  await button(page, 'Choose another file').click();
  await upload('goods.csv', ['Name,Price', 'Teapot,34']);
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
  await uploadBytes(page, 'empty.csv', Buffer.alloc(0));
  await expect(page.getByRole('alert').getByText('empty.csv is empty.')).toBeVisible();
  await uploadBytes(page, 'picture.csv', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  await expect(
    page.getByRole('alert').filter({ hasText: /\w/, hasNotText: 'empty.csv' }),
  ).toBeVisible();
  await chooseSample(page);
});

test('has no accessibility violation in any state, on a desk and on a phone', async ({ page }) => {
  await signInAs(page, 'admin@demo.test');
  for (const width of phoneAndDesk) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/ask');
    await expect(button(page, 'Choose a file')).toBeVisible();
    await expectAccessible(page);
    await uploadBytes(page, 'latin.csv', Buffer.from('Name,Price\nCafé crème,3\n', 'latin1'));
    await expect(page.getByText('This file can be read in more than one way.')).toBeVisible();
    await expectAccessible(page);
    await button(page, 'Choose another file').click();
    await chooseSample(page);
    await prompt(page).fill('Describe {{');
    await expect(page.getByRole('listbox')).toBeVisible();
    await expectAccessible(page);
    await prompt(page).fill('Describe {{Name}} at width {{nothing}}.');
    for (const summary of await page.getByRole('main').locator('summary').all())
      await summary.click();
    await expectAccessible(page);
    await prompt(page).fill(`Describe {{Name}} for a screen of ${width}.`);
    await button(page, 'Try 2 rows').click();
    await expect(page.getByText('2 of 2 answered.')).toBeVisible();
    await expect(figure(page, 'Submissions needed')).toBeVisible();
    await expectAccessible(page);
    await button(page, 'Choose another file').click();
    await page.getByRole('link', { name: 'One question' }).click();
    await expect(page.getByLabel('Your question')).toBeVisible();
    await expectAccessible(page);
  }
});

test('offers to start with a short balance and says how many submissions are missing', async ({
  page,
}) => {
  await signInAs(page, 'admin@demo.test');
  await page.goto('/ask');
  const rows = Array.from({ length: 6_000 }, (_, index) => `${index},thing ${index}`);
  await uploadBytes(page, 'many.csv', Buffer.from(['Number,Name', ...rows].join('\n')));
  await prompt(page).fill('Describe {{Name}}.');
  await expect(page.getByText(/submissions short\. You can run [45],\d{3} rows now/)).toBeVisible();
  await page.getByRole('button', { name: /^Run [45],\d{3} rows$/ }).click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
});
