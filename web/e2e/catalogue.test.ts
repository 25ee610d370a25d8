import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';
import {
  addPack,
  continueBy,
  expectUsableByAll,
  fillAddress,
  orderPack,
  payWith,
  signIn,
} from './shop-steps.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ port: 4485 });
});
afterAll(() => stage[Symbol.asyncDispose]());
afterEach(() => Promise.all(stage.browser.contexts().map((context) => context.close())));

async function pageOf(email: string): Promise<Page> {
  const page = await (await stage.browser.newContext({ baseURL: stage.url })).newPage();
  await signIn(page, email);
  return page;
}

const edit = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  return page.getByRole('dialog', { name: `Edit ${name}` });
};

it('an operator changes the price of a pack: a client sees the new one, and an order made before keeps its own', async () => {
  const client = await pageOf('client@demo.test');
  await orderPack(client, '500 submissions');
  const order = client.url();

  const operator = await pageOf('operator@demo.test');
  await operator.goto('/operator');
  await operator.getByRole('link', { name: 'Prices' }).click();
  await operator.getByText('No changes yet.').waitFor();
  await expectUsableByAll(operator);
  const dialog = await edit(operator, '500 submissions');
  expect(await dialog.getByLabel('Price in GBP').inputValue()).toBe('6.00');
  await dialog.getByLabel('Price in GBP').fill('0.5');
  await dialog.getByLabel('Submissions').fill('many');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('At least 1.00.').waitFor();
  await dialog.getByText('Must be a whole number.').waitFor();
  await expectUsableByAll(operator);
  await dialog.getByLabel('Price in GBP').fill('7.25');
  await dialog.getByLabel('Submissions').fill('500');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await operator.getByText('Orders that exist keep their price.').first().waitFor();
  await operator.getByText('price: from £6.00 to £7.25').waitFor();
  await expectUsableByAll(operator);

  await client.goto('/credits');
  const pack = client.getByRole('region', { name: '500 submissions' });
  await pack.getByText('£7.25').waitFor();
  await client.goto(order);
  await client.getByRole('button', { name: /^Pay now/ }).click();
  await payWith(client, 'is paid');
  await client.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor();
  await client.getByRole('link', { name: 'See the invoice' }).click();
  await client.getByRole('dialog').getByText('£6.00').first().waitFor();
});

it('two operators at once: the second one is told, and shown what the first one did', async () => {
  const [first, second] = [await pageOf('operator@demo.test'), await pageOf('operator@demo.test')];
  for (const page of [first, second]) await page.goto('/operator/catalogue');
  const [mine, theirs] = [await edit(first, 'Month'), await edit(second, 'Month')];
  await theirs.getByLabel('Price in GBP').fill('21');
  await theirs.getByRole('button', { name: 'Save' }).click();
  await theirs.waitFor({ state: 'detached' });
  await mine.getByLabel('Price in GBP').fill('22');
  await mine.getByRole('button', { name: 'Save' }).click();
  await mine.getByText('Someone has changed this since you opened it.').waitFor();
  await mine.getByRole('button', { name: 'Show the current version' }).click();
  await expect.poll(() => mine.getByLabel('Price in GBP').inputValue()).toBe('21.00');
  await mine.getByLabel('Price in GBP').fill('22');
  await mine.getByLabel('On sale').selectOption('Withdrawn');
  await mine.getByRole('button', { name: 'Save' }).click();
  await first.getByText('price: from £21.00 to £22.00').waitFor();
  await first.getByRole('row', { name: /Month Withdrawn/ }).waitFor();
});

it('a checkout and a choice of a plan that were open while the currency changed say so, and offer the new price', async () => {
  const client = await pageOf('client@demo.test');
  await addPack(client, '2,000 submissions');
  await client.goto('/checkout');
  await client.getByLabel('Town').waitFor();
  const other = await client.context().newPage();
  await other.goto('/auth/plans');
  await other.getByRole('button', { name: 'Choose Quarter' }).click();
  await other.waitForURL('**/auth/billing');
  await other.getByLabel('Town').waitFor();
  const operator = await pageOf('operator@demo.test');
  await operator.goto('/operator/catalogue');
  const pricing = await edit(operator, 'currency and tax');
  await pricing.getByLabel('Currency').selectOption('USD');
  await pricing.getByRole('button', { name: 'Save' }).click();
  await operator.getByRole('row', { name: /2,000 submissions.*\$/ }).waitFor();
  for (const page of [client, other]) {
    await page.getByRole('button', { name: /^Continue to payment.*£/ }).waitFor();
    await fillAddress(page);
    await continueBy(page, 'Test card');
    await page.getByRole('alert').getByText('Prices are in USD now.').waitFor();
    await page.getByRole('button', { name: /^Continue to payment.*\$/ }).click();
    await page.getByRole('button', { name: /^Pay .*\$/ }).waitFor();
  }
  const back = await edit(operator, 'currency and tax');
  await back.getByLabel('Currency').selectOption('GBP');
  await back.getByRole('button', { name: 'Save' }).click();
  await operator.getByRole('row', { name: /2,000 submissions.*£/ }).waitFor();
});

it('a plan is added, the free one keeps what it must, and currency and tax are changed for all', async () => {
  const page = await pageOf('operator@demo.test');
  await page.goto('/operator/catalogue');
  await page.getByRole('button', { name: 'Add a plan' }).click();
  const plan = page.getByRole('dialog', { name: 'New plan' });
  await plan.getByLabel('Name').fill('Week');
  await plan.getByLabel('Price in GBP').fill('7,50');
  await plan.getByLabel('Runs for (days)').fill('7');
  await plan.getByLabel('Submissions').fill('500');
  await plan.getByLabel('Card bullet points').fill('500 submissions\n\n7 days');
  await expectUsableByAll(page);
  await plan.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Week.*£7\.50.*7 days/ }).waitFor();
  const free = await edit(page, 'Free');
  await free.getByText('cannot be withdrawn or priced').waitFor();
  expect(await free.getByLabel('Price in GBP').count()).toBe(0);
  await free.getByRole('button', { name: 'Cancel' }).click();
  const pricing = await edit(page, 'currency and tax');
  await pricing.getByLabel('Currency').selectOption('EUR');
  await pricing.getByLabel('Percent').fill('17.5');
  await expectUsableByAll(page);
  await pricing.getByRole('button', { name: 'Save' }).click();
  await page.getByText('17.5% VAT').waitFor();
  await page.getByRole('row', { name: /Week.*€7\.50/ }).waitFor();
  await page.goto('/auth/plans');
  await page.getByRole('button', { name: 'Choose Week' }).waitFor();
});

it('nobody else is let in', async () => {
  const page = await pageOf('admin@demo.test');
  await page.goto('/operator/catalogue');
  await page.waitForURL('**/dashboard');
});
