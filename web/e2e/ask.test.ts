import { expect, type Locator, type Page } from '@playwright/test';
import {
  button,
  chooseSample,
  figure,
  openAskAs,
  prompt,
  step,
  upload,
} from './support/ask-page.ts';
import { expectState } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import {
  boxOf,
  expectAccessible,
  expectAccessibleAt,
  phoneAndDesk,
  readLocalStorage,
} from './support/screens.ts';
import { signIn, startSession } from './support/sign-in.ts';

const test = testOnStage();

async function countBatches(page: Page): Promise<number> {
  const headers = { authorization: `Bearer ${await readLocalStorage(page, 'userToken')}` };
  const response = await page.request.post('/api/emedia/getProcessedFiles', { headers, data: {} });
  return (await response.json()).total;
}

test('runs an uploaded sheet and does not charge previewed rows again', async ({ page }) => {
  await openAskAs(page, 'client@demo.test');
  await chooseSample(page);
  await prompt(page).fill('Describe {{Name}} in one sentence.');
  await expect(
    step(page, 'Preview').getByText('Describe Arran teapot in one sentence.'),
  ).toBeVisible();
  await button(page, 'Try 2 rows').click();
  await expect(page.getByText('2 of 2 answered.')).toBeVisible();
  await expect(button(page, 'Try 2 rows')).toBeFocused();
  const answers = page.getByRole('grid').getByText('Demo answer (no AI)');
  await expect(answers).toHaveCount(2);
  await expect(figure(page, 'Already answered').getByText('2', { exact: true })).toBeVisible();
  await page.getByText('Advanced', { exact: true }).click();
  await page.getByLabel('Row limit').fill('1');
  await expect(page.getByText('it leaves out row 2.')).toBeVisible();
  await page.getByLabel('Row limit').fill('');
  await expect(page.getByText('it leaves out row 2.')).toHaveCount(0);
  await page.reload();
  await expect(answers).toHaveCount(2);
  await expect(figure(page, 'Submissions needed')).toHaveText('10');
  await expect(figure(page, 'Balance after')).toHaveText('988');
  await button(page, 'Run 12 rows').click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  await expectState(page, 'completed');
  await expect(page.getByText('12 charged')).toBeVisible();
  await expect(page.getByRole('banner').getByText('Available: 988 submissions')).toBeVisible();
  await page.goto('/ask');
  await expect(button(page, 'Choose a file')).toBeVisible();
});

test('answers in typed columns, from the sheet to the result file', async ({ page, browser }) => {
  await openAskAs(page, 'client@demo.test');
  await chooseSample(page);
  await prompt(page).fill('Rate {{Name}}.');
  await page.getByLabel('Answer as').selectOption('Columns');
  await expect(page.getByText('Name at least one column.')).toBeInViewport();
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
  await startSession(elsewhere, 'client@demo.test');
  await elsewhere.goto(page.url());
  await expect(headsOn(elsewhere)).toHaveText(arranged);
  await elsewhere.close();
});

test('starts a batch once when the response to the start is lost', async ({ page }) => {
  await openAskAs(page, 'client@demo.test');
  await chooseSample(page);
  await prompt(page).fill('Name the material of {{Name}}.');
  const before = await countBatches(page);
  let isLost = false;
  await intercept(page, '**/askChatGpt', async (route) => {
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

test('leaves empty rows out of the cost, and warns of rows whose column is empty', async ({
  page,
}) => {
  await openAskAs(page, 'museum@demo.test');
  const lines = ['a,b,c{d', '1,x,', ',,', ' ,  ,', '2,y,', '3,,'];
  await upload(page, 'blank.csv', lines.join('\n'));
  await expect(page.getByText('3 columns, 2 empty rows')).toBeVisible();
  await expect(page.getByText('A prompt cannot insert “c{d”.')).toBeVisible();
  await prompt(page).fill('Say {{a}} to {{b}}');
  await expect(figure(page, 'Empty rows')).toHaveText('2');
  await expect(page.getByText('3 submissions · 2 empty rows skipped · ')).toBeVisible();
  await expect(figure(page, 'Rows with empty values')).toHaveText('1');
  await expect(figure(page, 'Submissions needed')).toHaveText('3');
  await prompt(page).fill('Say hello to {{b}}');
  await expect(figure(page, 'Empty rows')).toHaveText('3');
  await expect(figure(page, 'Submissions needed')).toHaveText('2');
});

test('shows why a tried row failed, apart from the answers', async ({ page }) => {
  await openAskAs(page, 'bakery@demo.test');
  await upload(page, 'failing.csv', 'Name\nLamp [[fail]]\nTeapot\n');
  await prompt(page).fill('Praise {{Name}}.');
  await button(page, 'Try 2 rows').click();
  await expect(page.getByText('1 of 2 answered.')).toBeVisible();
  await expect(page.getByText('Rows tried:')).toBeVisible();
  const grid = page.getByRole('grid');
  const reason = grid.getByText('The demo model was asked to fail.');
  const answer = grid.getByText('Demo answer (no AI)');
  const colourOf = (text: Locator) => text.evaluate((element) => getComputedStyle(element).color);
  expect(await colourOf(reason)).not.toBe(await colourOf(answer));
});

test('offers to run as many rows as the monthly limit allows', async ({ page, openPage }) => {
  const admin = await openPage();
  await startSession(admin, 'admin@demo.test');
  const headers = { authorization: `Bearer ${await readLocalStorage(admin, 'userToken')}` };
  const call = async (path: string, data: object) =>
    (await admin.request.post(`/api/${path}`, { headers, data })).json();
  const { users } = await call('userList', { search: 'museum@demo.test' });
  const user_id = users[0].id;
  await call('setClientLimits', { user_id, monthly_limit: 88 });
  await openAskAs(page, 'museum@demo.test');
  const rows = Array.from({ length: 120 }, (_, index) => `${index},thing ${index}`);
  await upload(page, 'things.csv', ['Number,Name', ...rows].join('\n'));
  await prompt(page).fill('Describe {{Name}}.');
  await expect(
    page.getByText(/^The monthly limit of 88 submissions leaves 88 until/),
  ).toBeVisible();
  await expect(page.getByText(/ · 32 more than the monthly limit leaves/)).toBeVisible();
  await expect(button(page, /^Run /)).toHaveText('Run 88 rows');
  await button(page, 'Run 88 rows').click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  // Buying would not help.
  await expect(page.getByText(/^This batch reached the monthly limit of 88/)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Buy Credits' })).toHaveCount(0);
  await call('setClientLimits', { user_id, monthly_limit: null });
});

test('completes column names by keyboard', async ({ page }) => {
  await openAskAs(page, 'client@demo.test');
  await chooseSample(page);
  await prompt(page).clear();
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
  await intercept(page, '**/askChatGpt', async (route) => {
    await expect(figure(page, 'Rows').first()).toHaveText('12');
    await route.continue();
  });
  const quoted = page.waitForResponse('**/askChatGpt');
  await prompt(page).fill('Name two colours for {{Name}}.');
  await quoted;
});

test('names an unknown variable and fills it in once it is saved', async ({ page }) => {
  await openAskAs(page, 'client@demo.test');
  await chooseSample(page);
  await prompt(page).fill('Describe {{ name }}, {{tone}}.');
  await expect(page.getByText('There’s no column or saved variable named “tone”.')).toBeVisible();
  await expect(page.locator('mark[data-known=true]')).toHaveText('{{ name }}');
  await expect(page.locator('mark[data-known=false]')).toHaveText('{{tone}}');
  await expect(step(page, 'Cost and start').getByText('Unknown name: “tone”.')).toBeVisible();
  await page.getByText('Saved variables', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('tone');
  await page.getByLabel('Text', { exact: true }).fill('in a friendly voice');
  await button(page, 'Save').click();
  const toast = page.getByRole('status').getByText('Saved “tone”.').first();
  const [message, run] = [await boxOf(toast), await boxOf(button(page, /^Run/))];
  expect(message.y + message.height, 'the message ends above the start').toBeLessThan(run.y);
  await expect(
    step(page, 'Preview').getByText('Describe Arran teapot, in a friendly voice.'),
  ).toBeVisible();
  // A second one of this name would replace it.
  await page.getByLabel('Name', { exact: true }).fill(' tone ');
  await page.getByLabel('Text', { exact: true }).fill('in an angry voice');
  await button(page, 'Save').click();
  await expect(page.getByText('You have saved a variable with this name.')).toBeVisible();
  await expect(page.getByRole('listitem').getByText('in a friendly voice')).toBeVisible();
  const savedNames = page.getByRole('group', { name: 'Insert a saved variable' });
  await expect(savedNames.getByRole('button')).toHaveText(['tone']);
  // The prompt finds the column first, also when its name has other letters.
  await page.getByLabel('Name', { exact: true }).fill('NAME');
  await button(page, 'Save').click();
  const shadowed = page.getByRole('listitem').filter({ hasText: 'in an angry voice' });
  await expect(shadowed).toContainText('(a column with this name takes precedence)');
  await expect(savedNames.getByRole('button')).toHaveText(['tone']);
  await button(page, 'Remove NAME').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(shadowed).toHaveCount(0);
  await button(page, 'Edit tone').press('Enter');
  await expect(page.getByLabel('Text', { exact: true })).toBeFocused();
  await button(page, 'Cancel').press('Enter');
  await page.keyboard.press('Tab');
  await expect(button(page, 'Edit tone')).toBeFocused();
  await button(page, 'Remove tone').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(page.getByText('None yet. Save a text')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
});

test('says at the start why nothing can be run, once, and asks for a quote again', async ({
  page,
}) => {
  await openAskAs(page, 'bakery@demo.test');
  await chooseSample(page);
  await prompt(page).clear();
  const reason = page.getByText('Write a prompt first.');
  await expect(reason).toHaveCount(1);
  await expect(button(page, 'Run')).toHaveAccessibleDescription('Write a prompt first.');
  await expect(button(page, 'Try 2 rows')).toHaveAccessibleDescription('Write a prompt first.');
  await intercept(page, '**/askChatGpt', (route) => route.abort());
  await prompt(page).fill('Greet {{Name}}.');
  const bar = step(page, 'Cost and start');
  await expect(bar.getByText('The server cannot be reached.')).toBeVisible();
  await expect(page.getByText('The server cannot be reached.')).toHaveCount(1);
  await expectAccessible(page);
  await page.unroute('**/askChatGpt');
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect(button(page, 'Run 12 rows')).toBeEnabled();
  await intercept(page, '**/askChatGpt', (route) =>
    route.request().postDataJSON().query.quote ? route.continue() : route.abort(),
  );
  await button(page, 'Try 2 rows').click();
  const refused = page.getByRole('main').getByText('The server cannot be reached.');
  await expect(refused).toHaveCount(1);
  await button(page, 'Run 12 rows').click();
  await expect(refused).toHaveCount(2);
  await prompt(page).fill('Welcome {{Name}}.');
  await expect(refused).toHaveCount(0);
  await expect(button(page, 'Run 12 rows')).toBeEnabled();
});

test('keeps the draft through a reload and hides it from other people', async ({ page }) => {
  await openAskAs(page, 'client@demo.test');
  await chooseSample(page);
  await prompt(page).fill('Praise {{Name}}.');
  await page.reload();
  await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
  await expect(prompt(page)).toHaveValue('Praise {{Name}}.');
  const menu = page.getByRole('navigation', { name: 'Main', exact: true });
  await menu.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  await menu.getByRole('link', { name: 'Submit a Batch (CSV)' }).click();
  await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
  await expect(prompt(page)).toHaveValue('Praise {{Name}}.');
  await signIn(page, 'operator@demo.test', '/ask');
  await expect(button(page, 'Choose a file')).toBeVisible();
  await expect(page.getByText('Praise')).toHaveCount(0);
});

test('has no accessibility violation in any state, on a desk and on a phone', async ({ page }) => {
  await openAskAs(page, 'admin@demo.test');
  await expect(button(page, 'Choose a file')).toBeVisible();
  await expectAccessibleAt(page);
  await upload(page, 'latin.csv', Buffer.from('Name,Price\nCafé crème,3\n', 'latin1'));
  await expect(page.getByText('This file can be read in more than one way.')).toBeVisible();
  await expectAccessibleAt(page);
  await button(page, 'Change file').click();
  await chooseSample(page);
  await expectAccessibleAt(page, phoneAndDesk, async () => {
    await prompt(page).fill('Describe {{');
    await expect(page.getByRole('listbox')).toBeVisible();
  });
  await prompt(page).fill('Describe {{Name}} with {{nothing}}.');
  const summaries = page.getByRole('main').locator('summary');
  await expect(summaries.first()).toBeVisible();
  for (const summary of await summaries.all()) await summary.click();
  await expectAccessibleAt(page);
  await prompt(page).fill('Describe {{Name}} for any screen.');
  await button(page, 'Try 2 rows').click();
  await expect(page.getByText('2 of 2 answered.')).toBeVisible();
  await expect(figure(page, 'Submissions needed')).toBeVisible();
  await expectAccessibleAt(page);
  await button(page, 'Change file').click();
  await page.getByRole('link', { name: 'One question' }).click();
  await expect(page.getByLabel('Your question')).toBeVisible();
  await expectAccessibleAt(page);
});

test('offers to start with a short balance and says how many submissions are missing', async ({
  page,
}) => {
  await signIn(page, 'admin@demo.test', '/ask');
  const rows = Array.from({ length: 6_000 }, (_, index) => `${index},thing ${index}`);
  await upload(page, 'many.csv', ['Number,Name', ...rows].join('\n'));
  await prompt(page).fill('Describe {{Name}}.');
  await expect(page.getByText(/submissions short\. You can run [45],\d{3} rows now/)).toBeVisible();
  await step(page, 'Cost and start').getByRole('link', { name: 'Buy Credits' }).click();
  await expect(page.getByLabel('Submissions you need')).toHaveValue(/^[12]\d{3}$/);
  await expect(page.getByText(/^\d × .+ Together [12],\d{3} submissions/)).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: /^Run [45],\d{3} rows$/ }).click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
});

test('brings a prompt with the sample sheet, which leaves with it', async ({ page }) => {
  await openAskAs(page, 'client@demo.test');
  await chooseSample(page);
  await expect(prompt(page)).toHaveValue(/\{\{Name\}\}/);
  await expect(button(page, 'Run 12 rows')).toBeEnabled();
  await button(page, 'Change file').click();
  await upload(page, 'own.csv', 'Place,Note\nPeel,a\nLaxey,b');
  await expect(page.getByText('2 rows, 2 columns')).toBeVisible();
  await expect(prompt(page)).toHaveValue('');
});

test('keeps the answer to a very long question near its button', async ({ page }) => {
  await openAskAs(page, 'client@demo.test');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('link', { name: 'One question' }).click();
  await page.getByLabel('Your question').fill(`First line\n${'語'.repeat(80_000)}`);
  await button(page, 'Ask').click();
  const answer = page.getByText('Demo answer (no AI): First line');
  await expect(answer).toBeVisible();
  const [asked, answered] = [await boxOf(button(page, 'Ask')), await boxOf(answer)];
  expect(answered.y - asked.y).toBeLessThan(400);
});
