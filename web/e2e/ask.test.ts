import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';

const pageErrors: string[] = [];
let page: Page;
let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
beforeEach(async () => {
  page = await (await stage.browser.newContext({ baseURL: stage.url })).newPage();
  page.on('pageerror', ({ message }) => pageErrors.push(message));
  await signIn('client@demo.test');
  await page.goto('/ask');
});
afterEach(async () => {
  await page.context().close();
  expect(pageErrors.splice(0)).toEqual([]);
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const prompt = () => page.getByLabel('Prompt for each row');
const step = (title: string) => page.getByRole('region', { name: title });

async function signIn(email: string) {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('rowmill-demo');
  await button('Sign in').click();
  await page.waitForURL('**/dashboard');
}

async function chooseSample() {
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

it('runs an uploaded sheet and does not charge previewed rows again', async () => {
  await chooseSample();
  await prompt().fill('Describe {{Name}} in one sentence.');
  await step('Preview').getByText('Describe Arran teapot in one sentence.').waitFor();
  await button('Try 2 rows').click();
  await page.getByText('2 of 2 answered.').waitFor();
  await figure('Already answered').getByText('2', { exact: true }).waitFor();
  expect(await figure('Submissions needed').textContent()).toBe('10');
  expect(await figure('Balance after').textContent()).toBe('988');
  await button('Run 12 rows').click();
  await page.waitForURL(/\/history\/[^/]+$/);
  await page.goto('/ask');
  await button('Choose a file').waitFor();
});

it('starts a batch once when the response to the start is lost', async () => {
  await chooseSample();
  await prompt().fill('Name the material of {{Name}}.');
  const before = await countBatches();
  let isLost = false;
  await page.route('**/askChatGpt', async (route) => {
    if (isLost || !route.request().postDataJSON().query.start) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await button('Run 12 rows').click();
  await page.getByText('The server cannot be reached.').waitFor();
  await page.reload();
  await button('Run 12 rows').click();
  await page.waitForURL(/\/history\/[^/]+$/);
  expect(await countBatches()).toBe(before + 1);
});

it('asks how to read a file that can be read in several ways', async () => {
  await uploadBytes('latin.csv', Buffer.from('Name,Price\nCafé crème,3\nSoufflé,7\n', 'latin1'));
  await page.getByText('This file can be read in more than one way.').waitFor();
  await step('Prompt').getByText('Confirm how to read this file first.').waitFor();
  await button('Read as Western European (Windows-1252), comma').click();
  await page.getByRole('cell', { name: 'Café crème' }).waitFor();
  await prompt().waitFor();
});

it('completes column names by keyboard', async () => {
  await chooseSample();
  await prompt().focus();
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
  expect(await prompt().inputValue()).toBe('Describe {{Material}} and {{Price}}. {{na');
});

it('names an unknown variable and fills it in once it is saved', async () => {
  await chooseSample();
  await prompt().fill('Describe {{Name}}, {{tone}}.');
  await page.getByText('There’s no column or saved variable named “tone”.').waitFor();
  await step('Confirm').getByText('Unknown name: “tone”.').waitFor();
  await page.getByText('Saved variables', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('tone');
  await page.getByLabel('Text', { exact: true }).fill('in a friendly voice');
  await button('Save').click();
  await step('Preview').getByText('Describe Arran teapot, in a friendly voice.').waitFor();
});

it('keeps the draft through a reload and hides it from other people', async () => {
  await chooseSample();
  await prompt().fill('Praise {{Name}}.');
  await page.reload();
  await page.getByText('12 rows, 3 columns').waitFor();
  expect(await prompt().inputValue()).toBe('Praise {{Name}}.');
  await page.evaluate(() => localStorage.clear());
  await signIn('operator@demo.test');
  await page.goto('/ask');
  await button('Choose a file').waitFor();
  expect(await page.getByText('Praise').count()).toBe(0);
});

it('fills in the prompt for a sheet with a single column', async () => {
  await page.getByText('Paste text instead').click();
  await page.getByLabel('Rows', { exact: true }).fill('Prompt\nSay hello\nSay goodbye\n');
  await button('Use this text').click();
  await page.getByText('2 rows, 1 column').waitFor();
  expect(await prompt().inputValue()).toBe('{{Prompt}}');
  await button('Next').click();
  await step('Preview').getByText('Say goodbye').waitFor();
});

it('shows the answer to one question as plain text', async () => {
  await page.getByRole('link', { name: 'One question' }).click();
  await page.getByLabel('Your question').fill('Is <b>this</b> bold?');
  await button('Ask').click();
  await page.getByText('Balance after:').waitFor();
  expect(await page.locator('article b').count()).toBe(0);
});

it('says what is wrong with a file and accepts the next one', async () => {
  await uploadBytes('empty.csv', Buffer.alloc(0));
  await page.getByRole('alert').getByText('empty.csv is empty.').waitFor();
  await uploadBytes('picture.csv', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  await page.getByRole('alert').filter({ hasText: /\w/, hasNotText: 'empty.csv' }).waitFor();
  await chooseSample();
});

it('has no accessibility violation in any state, on a desk and on a phone', async () => {
  // Another account, because the client has used up its uploads for this minute.
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
    await chooseSample();
    await prompt().fill('Describe {{');
    await page.getByRole('listbox').waitFor();
    await expectNoViolation();
    await prompt().fill('Describe {{Name}} at width {{nothing}}.');
    for (const summary of await page.getByRole('main').locator('summary').all())
      await summary.click();
    await expectNoViolation();
    await prompt().fill(`Describe {{Name}} for a screen of ${width}.`);
    await button('Try 2 rows').click();
    await page.getByText('2 of 2 answered.').waitFor();
    await figure('Balance after').waitFor();
    await expectNoViolation();
    await button('Choose another file').click();
    await page.getByRole('link', { name: 'One question' }).click();
    await page.getByLabel('Your question').waitFor();
    await expectNoViolation();
  }
});

it('offers to start with a short balance and says how many submissions are missing', async () => {
  await page.evaluate(() => localStorage.clear());
  await signIn('admin@demo.test');
  await page.goto('/ask');
  const rows = Array.from({ length: 6_000 }, (_, index) => `${index},thing ${index}`);
  await uploadBytes('many.csv', Buffer.from(['Number,Name', ...rows].join('\n')));
  await prompt().fill('Describe {{Name}}.');
  await page.getByText(/submissions short\. Your balance covers/).waitFor();
  expect(await button('Run 6,000 rows').isDisabled()).toBe(true);
  await button('Start anyway').click();
  await page.waitForURL(/\/history\/[^/]+$/);
});
