import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';

const trouble: string[] = [];
let page: Page;
let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
beforeEach(async () => {
  page = await (await stage.browser.newContext({ baseURL: stage.url })).newPage();
  page.on('pageerror', ({ message }) => trouble.push(message));
  await signIn('client@demo.test');
  await page.goto('/ask');
});
afterEach(async () => {
  await page.context().close();
  expect(trouble.splice(0)).toEqual([]);
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const question = () => page.getByLabel('Question for each row');
const step = (title: string) => page.getByRole('region', { name: title });

async function signIn(email: string) {
  await page.goto('/auth/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('rowmill-demo');
  await button('Sign in').click();
  await page.waitForURL('**/dashboard');
}

async function takeSample() {
  await button('Use the sample sheet').click();
  await page.getByText('12 rows, 3 columns').waitFor();
}

async function uploadBytes(name: string, bytes: Buffer) {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: bytes });
}

function figure(name: string): Locator {
  return page.getByRole('row', { name }).getByRole('cell');
}

async function countBatches(): Promise<number> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('userToken') ?? 'null'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.post('/api/emedia/getProcessedFiles', { headers, data: {} });
  return (await answer.json()).total;
}

async function expectNoViolation() {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  ).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

it('takes a sheet from the upload to a running batch, and pays no previewed row twice', async () => {
  await takeSample();
  await question().fill('Describe {{Name}} in one sentence.');
  await step('Check').getByText('Describe Arran teapot in one sentence.').waitFor();
  await button('Answer 2 rows now').click();
  await page.getByText('2 of 2 rows are answered.').waitFor();
  await figure('Answered already').getByText('2', { exact: true }).waitFor();
  expect(await figure('Submissions needed').textContent()).toBe('10');
  expect(await figure('Balance after').textContent()).toBe('988');
  await button('Start').click();
  await page.waitForURL(/\/history\/[^/]+$/);
  await page.goto('/ask');
  await button('Choose a file').waitFor();
});

it('starts a batch once, also when the answer to the start is lost', async () => {
  await takeSample();
  await question().fill('Name the material of {{Name}}.');
  const before = await countBatches();
  let isLost = false;
  await page.route('**/askChatGpt', async (route) => {
    if (isLost || !route.request().postDataJSON().query.start) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await button('Start').click();
  await page.getByText('The server cannot be reached.').waitFor();
  await page.reload();
  await button('Start').click();
  await page.waitForURL(/\/history\/[^/]+$/);
  expect(await countBatches()).toBe(before + 1);
});

it('asks how to read a file that can be read in more than one way', async () => {
  await uploadBytes('latin.csv', Buffer.from('Name,Price\nCafé crème,3\nSoufflé,7\n', 'latin1'));
  await page.getByText('This file can be read in more than one way.').waitFor();
  await step('Question').getByText('Say first how the sheet is to be read.').waitFor();
  await button('Read it as Western European (Windows-1252), comma').click();
  await page.getByRole('cell', { name: 'Café crème' }).waitFor();
  await question().waitFor();
});

it('completes the names of columns by keyboard alone', async () => {
  await takeSample();
  await question().focus();
  await page.keyboard.type('Describe {{');
  await page.getByRole('option', { name: 'Name', exact: true, selected: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'Material', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type(' and {{pr');
  await page.keyboard.press('Enter');
  await page.keyboard.type('. {{na');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('listbox').count()).toBe(0);
  expect(await question().inputValue()).toBe('Describe {{Material}} and {{Price}}. {{na');
});

it('names variables that are missing, and takes a kept one for them', async () => {
  await takeSample();
  await question().fill('Describe {{Name}}, {{tone}}.');
  await page.getByText('Neither a column nor a kept variable is called “tone”.').waitFor();
  await step('Confirm').getByText('Nothing is called “tone”.').waitFor();
  await page.getByText('Kept variables', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('tone');
  await page.getByLabel('Text', { exact: true }).fill('in a friendly voice');
  await button('Keep it').click();
  await step('Check').getByText('Describe Arran teapot, in a friendly voice.').waitFor();
});

it('keeps the draft through a reload, and shows it to nobody else', async () => {
  await takeSample();
  await question().fill('Praise {{Name}}.');
  await page.reload();
  await page.getByText('12 rows, 3 columns').waitFor();
  expect(await question().inputValue()).toBe('Praise {{Name}}.');
  await page.evaluate(() => localStorage.clear());
  await signIn('operator@demo.test');
  await page.goto('/ask');
  await button('Choose a file').waitFor();
  expect(await page.getByText('Praise').count()).toBe(0);
});

it('shows each prompt of a list of prompts, and prefills the question', async () => {
  await page.getByText('Paste text instead').click();
  await page.getByLabel('Rows', { exact: true }).fill('Prompt\nSay hello\nSay goodbye\n');
  await button('Use this text').click();
  await page.getByText('2 rows, 1 column').waitFor();
  expect(await question().inputValue()).toBe('{{Prompt}}');
  await button('Next').click();
  await step('Check').getByText('Say goodbye').waitFor();
});

it('answers one question without a sheet, as text', async () => {
  await page.getByRole('link', { name: 'One question' }).click();
  await page.getByLabel('Your question').fill('Is <b>this</b> bold?');
  await button('Ask').click();
  await page.getByText('Balance after:').waitFor();
  expect(await page.locator('article b').count()).toBe(0);
});

it('says in words what is wrong with a file, and takes the next one', async () => {
  await uploadBytes('empty.csv', Buffer.alloc(0));
  await page.getByRole('alert').getByText('empty.csv is empty.').waitFor();
  await uploadBytes('picture.csv', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  await page.getByRole('alert').filter({ hasText: /\w/, hasNotText: 'empty.csv' }).waitFor();
  await takeSample();
});

it('can be used by everybody in every state', async () => {
  // Somebody with a balance of uploads of his own: the client has made as many as a minute allows.
  await page.evaluate(() => localStorage.clear());
  await signIn('admin@demo.test');
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/ask');
    await button('Choose a file').waitFor();
    await expectNoViolation();
    await uploadBytes('latin.csv', Buffer.from('Name,Price\nCafé crème,3\n', 'latin1'));
    await page.getByText('This file can be read in more than one way.').waitFor();
    await expectNoViolation();
    await button('Choose another file').click();
    await takeSample();
    await question().fill('Describe {{');
    await page.getByRole('listbox').waitFor();
    await expectNoViolation();
    await question().fill('Describe {{Name}} at width {{nothing}}.');
    for (const summary of await page.getByRole('main').locator('summary').all())
      await summary.click();
    await expectNoViolation();
    await question().fill(`Describe {{Name}} for a screen of ${width}.`);
    await button('Answer 2 rows now').click();
    await page.getByText('2 of 2 rows are answered.').waitFor();
    await figure('Balance after').waitFor();
    await expectNoViolation();
    await button('Choose another file').click();
    await page.getByRole('link', { name: 'One question' }).click();
    await page.getByLabel('Your question').waitFor();
    await expectNoViolation();
  }
});

it('starts with what the balance covers, and says what is missing', async () => {
  await page.evaluate(() => localStorage.clear());
  await signIn('admin@demo.test');
  await page.goto('/ask');
  const rows = Array.from({ length: 6_000 }, (_, index) => `${index},thing ${index}`);
  await uploadBytes('many.csv', Buffer.from(['Number,Name', ...rows].join('\n')));
  await question().fill('Describe {{Name}}.');
  await page.getByText(/submissions are missing\. Your balance covers/).waitFor();
  expect(
    await button('Start')
      .filter({ hasText: /^Start$/ })
      .isDisabled(),
  ).toBe(true);
  await button(/^Start with/).click();
  await page.waitForURL(/\/history\/[^/]+$/);
});
