import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { waitForState } from './batch-steps.ts';
import { type Stage, setStage } from './browser.ts';
import { expectUsableByAll, signIn } from './shop-steps.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const opened: Page[] = [];
const pageErrors: string[] = [];
beforeEach(() => {
  pageErrors.length = 0;
});
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
  expect(pageErrors).toEqual([]);
});

function listen(page: Page): Page {
  page.on('pageerror', (error) => pageErrors.push(error.message));
  opened.push(page);
  return page;
}

/** A new browser in which this person is signed in. */
async function browserOf(email: string, width: number): Promise<Page> {
  const context = await stage.browser.newContext({
    baseURL: stage.url,
    viewport: { width, height: 900 },
  });
  const page = listen(await context.newPage());
  await signIn(page, email);
  return page;
}

async function actAs(page: Page, client: string) {
  await page.goto('/clients');
  await page
    .getByRole('main')
    .getByRole('button', { name: `Act as ${client}` })
    .click();
  await page.getByText(`Acting as ${client}`).waitFor();
}

const available = (page: Page, submissions: number) =>
  page.getByRole('banner').getByText(`Available: ${submissions} submissions`).waitFor();

const sheet = ['Name,Material', 'Teapot,stoneware', 'Lamp,brass', 'Blanket,wool'].join('\n');

it.each([
  {
    where: 'desk',
    width: 1440,
    client: 'Bella Crellin',
    email: 'bakery@demo.test',
    submissions: 300,
  },
  { where: 'phone', width: 390, client: 'Max Moore', email: 'museum@demo.test', submissions: 120 },
])(
  'lets an admin run a batch as $client and shows the client who did it, on a $where',
  async (one) => {
    const page = await browserOf('admin@demo.test', one.width);
    await actAs(page, one.client);
    await available(page, one.submissions);
    await page.goto('/ask');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'goods.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) });
    await page.getByText('3 rows, 2 columns').waitFor();
    await page.getByLabel('Prompt for each row').fill('Praise {{Name}}.');
    await page.getByText('Balance after').waitFor();
    await page.getByRole('button', { name: 'Run 3 rows' }).click();
    await page.waitForURL(/\/history\/[^/]+$/);
    await waitForState(page, 'completed');
    await page.getByText(`Acting as ${one.client}`).waitFor();
    await available(page, one.submissions - 3);
    await page.getByRole('button', { name: 'Return' }).click();
    await page.waitForURL('**/clients');
    expect(await page.getByText('Acting as').count()).toBe(0);

    const clientPage = await browserOf(one.email, one.width);
    await available(clientPage, one.submissions - 3);
    await clientPage.goto('/activity');
    await clientPage.getByText('Adam Kelly uploaded a sheet').waitFor();
    await clientPage.getByText('Adam Kelly started a batch').waitFor();
    await expectUsableByAll(clientPage, [one.width]);
    await clientPage.goto('/history');
    await clientPage.getByRole('link', { name: 'goods.csv' }).click();
    await waitForState(clientPage, 'completed');
  },
);

it('keeps a plan chosen for one client out of a tab that acts as another', async () => {
  const bella = await browserOf('admin@demo.test', 1440);
  await actAs(bella, 'Bella Crellin');
  const max = listen(await bella.context().newPage());
  await actAs(max, 'Max Moore');
  await max.goto('/auth/plans');
  await max
    .getByText('You act as Max Moore: what you choose is the plan of this client.')
    .waitFor();

  await bella.goto('/auth/plans');
  await bella.getByRole('button', { name: 'Choose Year' }).click();
  await bella.waitForURL('**/auth/billing');
  await bella.getByRole('heading', { name: 'Year' }).waitFor();
  await bella
    .getByText('You act as Bella Crellin: what you pay here is the plan of this client.')
    .waitFor();

  expect(await max.getByText('Your choice').count()).toBe(0);
  await max.goto('/auth/billing');
  await max.getByText('You have not chosen a plan yet.').waitFor();
  expect(await max.getByRole('heading', { name: 'Year' }).count()).toBe(0);
  await max.goto('/dashboard');
  await max.getByText('Max Moore’s dashboard').waitFor();

  await bella.goto('/auth/plans');
  await bella.getByText('Your choice').waitFor();
  await bella.goto('/auth/billing');
  await bella.getByRole('heading', { name: 'Year' }).waitFor();
  await bella.getByText('Acting as Bella Crellin').first().waitFor();
});
