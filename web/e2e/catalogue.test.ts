import { expect, type Page } from '@playwright/test';
import { type OpenPage, testOnStage } from './support/fixtures.ts';
import { expectAccessibleAt, expectRow } from './support/screens.ts';
import { addPack, continueToPayment, fillAddress, orderPack, payWith } from './support/shopping.ts';
import { startSession } from './support/sign-in.ts';

const test = testOnStage();

async function signedIn(openPage: OpenPage, email: string): Promise<Page> {
  const page = await openPage();
  await startSession(page, email);
  return page;
}

async function edit(page: Page, name: string) {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  return page.getByRole('dialog', { name: `Edit ${name}` });
}

test('shows a changed pack price to clients and keeps the price of existing orders', async ({
  openPage,
}) => {
  const client = await signedIn(openPage, 'client@demo.test');
  await orderPack(client, '500 submissions');
  const order = client.url();

  const operator = await signedIn(openPage, 'operator@demo.test');
  await operator.goto('/operator');
  await operator.getByRole('link', { name: 'Prices' }).click();
  await expect(operator.getByText('No changes yet.')).toBeVisible();
  await expectAccessibleAt(operator);
  const dialog = await edit(operator, '500 submissions');
  await expect(dialog.getByLabel('Price in GBP')).toHaveValue('6.00');
  await dialog.getByLabel('Price in GBP').fill('0.5');
  await dialog.getByLabel('Submissions').fill('many');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('At least 1.00.')).toBeVisible();
  await expect(dialog.getByText('Must be a whole number.')).toBeVisible();
  await expectAccessibleAt(operator);
  await dialog.getByLabel('Price in GBP').fill('7.25');
  await dialog.getByLabel('Submissions').fill('500');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(operator.getByText('Existing orders keep their price.').first()).toBeVisible();
  await expect(operator.getByText('price: from £6.00 to £7.25')).toBeVisible();
  await expectAccessibleAt(operator);

  await client.goto('/credits');
  const pack = client.getByRole('region', { name: '500 submissions' });
  await expect(pack.getByText('£7.25')).toBeVisible();
  await client.goto(order);
  await client.getByRole('button', { name: /^Pay now/ }).click();
  await payWith(client, 'is paid');
  await expect(
    client.getByRole('heading', { name: 'Thank you, your order is paid' }),
  ).toBeVisible();
  await client.getByRole('link', { name: 'See the invoice' }).click();
  await expect(client.getByRole('dialog').getByText('£6.00').first()).toBeVisible();
});

test('warns the second of two operators who edit a plan and shows the first one’s change', async ({
  openPage,
}) => {
  const [first, second] = [
    await signedIn(openPage, 'operator@demo.test'),
    await signedIn(openPage, 'operator@demo.test'),
  ];
  for (const page of [first, second]) await page.goto('/operator/catalogue');
  const [mine, theirs] = [await edit(first, 'Month'), await edit(second, 'Month')];
  await theirs.getByLabel('Price in GBP').fill('21');
  await theirs.getByRole('button', { name: 'Save' }).click();
  await expect(theirs).toHaveCount(0);
  // The end of the form, where it is saved, is below the problem.
  await first.setViewportSize({ width: 390, height: 500 });
  await mine.getByLabel('Price in GBP').fill('22');
  await mine.getByRole('button', { name: 'Save' }).click();
  await expect(
    mine.locator('form').getByText('Someone has changed this since you opened it.'),
  ).toBeInViewport({ ratio: 1 });
  await first.setViewportSize({ width: 1280, height: 720 });
  await mine.getByRole('button', { name: 'Show the current version' }).click();
  await expect(mine.getByLabel('Price in GBP')).toHaveValue('21.00');
  await mine.getByLabel('Price in GBP').fill('22');
  await mine.getByLabel('On sale').selectOption('Withdrawn');
  await mine.getByRole('button', { name: 'Save' }).click();
  await expect(first.getByText('price: from £21.00 to £22.00')).toBeVisible();
  await expectRow(first, /Month Withdrawn/);
});

test('offers the new terms on pages that were open while currency and plan changed', async ({
  openPage,
}) => {
  const client = await signedIn(openPage, 'client@demo.test');
  await addPack(client, '2,000 submissions');
  await client.goto('/checkout');
  await expect(client.getByLabel('Town')).toBeVisible();
  const other = await client.context().newPage();
  await other.goto('/auth/plans');
  await other.getByRole('button', { name: 'Choose Quarter' }).click();
  await expect(other).toHaveURL('/auth/billing');
  await expect(other.getByLabel('Town')).toBeVisible();
  const operator = await signedIn(openPage, 'operator@demo.test');
  await operator.goto('/operator/catalogue');
  const pricing = await edit(operator, 'currency and tax');
  await pricing.getByLabel('Currency').selectOption('USD');
  await pricing.getByRole('button', { name: 'Save' }).click();
  await operator.getByRole('button', { name: 'Change the currency' }).click();
  await expectRow(operator, /2,000 submissions.*\$/);
  const plan = await edit(operator, 'Quarter');
  await plan.getByLabel('Submissions').fill('6000');
  await plan.getByRole('button', { name: 'Save' }).click();
  await expectRow(operator, /Quarter.*6,000/);
  for (const page of [client, other]) {
    await expect(page.getByRole('button', { name: /^Continue to payment.*£/ })).toBeVisible();
    await fillAddress(page);
    await continueToPayment(page, 'Test card');
    await expect(page.getByRole('main').getByText('Prices are now in USD.')).toBeVisible();
    if (page === other)
      await expect(page.getByRole('main').getByText('This plan has changed.')).toBeVisible();
    await page.getByRole('button', { name: /^Continue to payment.*\$/ }).click();
    await expect(page.getByRole('button', { name: /^Pay .*\$/ })).toBeVisible();
  }
  await expect(other.getByText('6,000')).toBeVisible();
  const back = await edit(operator, 'currency and tax');
  await back.getByLabel('Currency').selectOption('GBP');
  await back.getByRole('button', { name: 'Save' }).click();
  await operator.getByRole('button', { name: 'Change the currency' }).click();
  await expectRow(operator, /2,000 submissions.*£/);
});

test('adds a plan, protects the free plan and changes currency and tax', async ({ openPage }) => {
  const page = await signedIn(openPage, 'operator@demo.test');
  await page.goto('/operator/catalogue');
  await page.getByRole('button', { name: 'Add plan' }).click();
  const plan = page.getByRole('dialog', { name: 'New plan' });
  await plan.getByLabel('Name').fill('Week');
  await plan.getByLabel('Price in GBP').fill('7,50');
  await plan.getByLabel('Runs for (days)').fill('7');
  await plan.getByLabel('Submissions').fill('500');
  await plan.getByLabel('Bullet points').fill('500 submissions\n\n7 days');
  await expectAccessibleAt(page);
  await plan.getByRole('button', { name: 'Save' }).click();
  await expectRow(page, /Week.*£7\.50.*7 days/);
  const free = await edit(page, 'Free');
  await expect(free.getByText('cannot be withdrawn or priced')).toBeVisible();
  await expect(free.getByLabel('Price in GBP')).toHaveCount(0);
  await free.getByRole('button', { name: 'Cancel' }).click();
  const pricing = await edit(page, 'currency and tax');
  await pricing.getByLabel('Currency').selectOption('EUR');
  await pricing.getByLabel('Percent').fill('17.5');
  await pricing.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'Sell in EUR instead of GBP?' });
  await expect(question.getByText('12.50 GBP becomes 12.50 EUR')).toBeVisible();
  await expectAccessibleAt(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(pricing.getByLabel('Percent')).toHaveValue('17.5');
  await pricing.getByRole('button', { name: 'Save' }).click();
  await question.getByRole('button', { name: 'Change the currency' }).click();
  await expect(page.getByText('17.5% VAT')).toBeVisible();
  await expectRow(page, /Week.*€7\.50/);
  await page.goto('/auth/plans');
  await expect(page.getByRole('button', { name: 'Choose Week' })).toBeVisible();
});
