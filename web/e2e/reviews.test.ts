import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FakePaypal, startFakePaypal } from '../../fakes/paypal/server.ts';
import { type Stage, setStage } from './browser.ts';
import {
  addPack,
  expectUsableByAll,
  fillAddress,
  orderPack,
  payWith,
  signIn,
} from './shop-steps.ts';

const trouble: string[] = [];
/** PayPal as a server beside, to be told what it refuses. */
const secrets = { clientId: 'shop', clientSecret: 'secret', webhookId: 'hook' };
let wallet: FakePaypal;
let stage: Stage;
let page: Page;

beforeAll(async () => {
  wallet = await startFakePaypal(secrets);
  const settings = {
    PAYPAL_CLIENT_ID: secrets.clientId,
    PAYPAL_CLIENT_SECRET: secrets.clientSecret,
    PAYPAL_WEBHOOK_ID: secrets.webhookId,
    PAYPAL_API_BASE: wallet.url,
  };
  stage = await setStage({ port: 4486, settings });
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await wallet[Symbol.asyncDispose]();
});
beforeEach(async () => {
  trouble.length = 0;
  const context = await stage.browser.newContext({ baseURL: stage.url });
  page = await context.newPage();
  page.on('pageerror', ({ message }) => trouble.push(message));
});
afterEach(async () => {
  await page.context().close();
  expect(trouble).toEqual([]);
});

const main = () => page.getByRole('main');
const stored = (key: string) =>
  page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null'), key);

/** Whoever was signed in before is forgotten by this browser. */
async function comeAs(email: string) {
  if (page.url().startsWith(stage.url)) await page.evaluate(() => localStorage.clear());
  await signIn(page, email);
}

async function payWrongAmount() {
  await comeAs('client@demo.test');
  await orderPack(page, '500 submissions');
  await payWith(page, 'is paid with the wrong amount');
  await page.getByText('In review').first().waitFor();
}

/** Signs in as the operator and opens the one payment that waits. */
async function openReview() {
  await comeAs('operator@demo.test');
  await page.goto('/operator?view=reviews');
  await main().getByRole('button', { name: 'Decide about the payment of Clara Quayle' }).click();
  const dialog = page.getByRole('dialog', { name: 'Payment of Clara Quayle' });
  await dialog.getByText('amount', { exact: true }).waitFor();
  return dialog;
}

it('an operator accepts a payment of a wrong amount, and the client has what was ordered', async () => {
  await payWrongAmount();
  const dialog = await openReview();
  await expectUsableByAll(page);
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await dialog.getByText('Enter a reason first.').waitFor();
  await dialog.getByLabel('Reason').fill('The bank took a fee');
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await main().getByText('No payments to review.').waitFor();
  await page.goto('/operator?view=audit');
  await main()
    .getByText('accepted a payment that did not match its order: The bank took a fee')
    .first()
    .waitFor();
  await comeAs('client@demo.test');
  await page.getByRole('banner').getByText('Available: 1,500 submissions').waitFor();
});

it('an operator refuses one, and the client’s order says so', async () => {
  await payWrongAmount();
  const dialog = await openReview();
  await dialog.getByLabel('Reason').fill('Given back at the provider');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await main().getByText('No payments to review.').waitFor();
  await comeAs('client@demo.test');
  await page.goto('/orders');
  await main().getByText('Refunded').first().waitFor();
  await page.getByRole('banner').getByText('Available: 1,500 submissions').waitFor();
});

it('an operator reads why a refused payment is not given back, and closes it when he has given it back by another way', async () => {
  await comeAs('client@demo.test');
  await addPack(page, '500 submissions');
  await page.goto('/checkout');
  await page.getByLabel('Town').waitFor();
  await fillAddress(page);
  await page.getByLabel('PayPal', { exact: true }).check();
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await page.getByLabel('Pay the wrong amount').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('In review').first().waitFor();
  wallet.orders.refundRefusal = 'Your balance is too low.';
  const dialog = await openReview();
  await dialog.getByLabel('Reason').fill('Not as ordered');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await main()
    .getByText('The provider does not give the money back: Your balance is too low.')
    .waitFor();
  await main().getByRole('button', { name: 'Decide about the payment of Clara Quayle' }).click();
  await dialog.getByText('It is tried again every five minutes.').waitFor();
  await expectUsableByAll(page);
  await dialog.getByLabel('Reason').fill('By bank transfer');
  await dialog.getByRole('button', { name: 'Refunded another way' }).click();
  await main().getByText('No payments to review.').waitFor();
  await page.goto('/operator?view=audit');
  await main()
    .getByText('returned a rejected payment another way: By bank transfer')
    .first()
    .waitFor();
});

it('a cart and a chosen plan stay with the client for whom they were chosen', async () => {
  await signIn(page, 'admin@demo.test');
  await page.goto('/clients');
  await main().getByRole('button', { name: 'Act as Bella Crellin' }).click();
  await page.getByText('Acting as Bella Crellin').waitFor();
  await addPack(page, '500 submissions');
  expect(await stored('currentSale')).toMatchObject({ type: 'credits' });
  await page.evaluate(() => localStorage.setItem('selectedPlan', '{"id":"quarter"}'));
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Return' }).click();
  await page.getByText('Acting as').waitFor({ state: 'detached' });
  expect([await stored('currentSale'), await stored('selectedPlan')]).toEqual([null, null]);
});

it('an operator searches the admin who shall look after a client', async () => {
  await signIn(page, 'operator@demo.test');
  await page.goto('/operator?search=museum');
  await main().getByRole('button', { name: 'Manage Max Moore' }).click();
  const person = page.getByRole('dialog', { name: 'Max Moore' });
  await person.getByLabel('Find an admin').fill('nobody of this name');
  await person.getByText('No matching admins.').waitFor();
  expect(await person.getByLabel('Managed by').locator('option:checked').textContent()).toContain(
    'Adam Kelly',
  );
  await person.getByLabel('Find an admin').fill('admin@demo');
  await person.getByText('No matching admins.').waitFor({ state: 'detached' });
  await expectUsableByAll(page);
});
