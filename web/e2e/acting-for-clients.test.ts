import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';
import { expectUsableByAll, signIn } from './shop-steps.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const opened: Page[] = [];
const trouble: string[] = [];
beforeEach(() => {
  trouble.length = 0;
});
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
  expect(trouble).toEqual([]);
});

function listen(page: Page): Page {
  page.on('pageerror', (error) => trouble.push(error.message));
  opened.push(page);
  return page;
}

/** A browser of one person. */
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
  await page.getByText(`You act as ${client}`).waitFor();
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
  'an agency sets up and starts a batch as $client, returns, and the client sees who did it, at the width of a $where',
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
    await page.locator('.batch-state', { hasText: 'Completed' }).first().waitFor();
    await page.getByText(`You act as ${one.client}`).waitFor();
    await available(page, one.submissions - 3);
    await page.getByRole('button', { name: 'Return' }).click();
    await page.waitForURL('**/clients');
    expect(await page.getByText('You act as').count()).toBe(0);

    const his = await browserOf(one.email, one.width);
    await available(his, one.submissions - 3);
    await his.goto('/activity');
    await his.getByText('Adam Kelly uploaded a sheet').waitFor();
    await his.getByText('Adam Kelly started a batch').waitFor();
    await expectUsableByAll(his, [one.width]);
    await his.goto('/history');
    await his.getByRole('link', { name: 'goods.csv' }).click();
    await his.locator('.batch-state', { hasText: 'Completed' }).first().waitFor();
  },
);

it('a plan that is chosen in a tab for one client is not offered in a tab that acts as another', async () => {
  const bellas = await browserOf('admin@demo.test', 1440);
  await actAs(bellas, 'Bella Crellin');
  const maxs = listen(await bellas.context().newPage());
  await actAs(maxs, 'Max Moore');
  await maxs.goto('/auth/plans');
  await maxs
    .getByText('You act as Max Moore: what you choose is the plan of this client.')
    .waitFor();

  await bellas.goto('/auth/plans');
  await bellas.getByRole('button', { name: 'Choose Year' }).click();
  await bellas.waitForURL('**/auth/billing');
  await bellas.getByRole('heading', { name: 'Year' }).waitFor();
  await bellas
    .getByText('You act as Bella Crellin: what you pay here is the plan of this client.')
    .waitFor();

  expect(await maxs.getByText('Your choice').count()).toBe(0);
  await maxs.goto('/auth/billing');
  await maxs.getByText('You have not chosen a plan yet.').waitFor();
  expect(await maxs.getByRole('heading', { name: 'Year' }).count()).toBe(0);
  await maxs.goto('/dashboard');
  await maxs.getByText('The dashboard of Max Moore').waitFor();

  await bellas.goto('/auth/plans');
  await bellas.getByText('Your choice').waitFor();
  await bellas.goto('/auth/billing');
  await bellas.getByRole('heading', { name: 'Year' }).waitFor();
  await bellas.getByText('You act as Bella Crellin').first().waitFor();
});
