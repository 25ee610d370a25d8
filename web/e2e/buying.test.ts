import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { waitForState } from './batch-steps.ts';
import { type Stage, setStage } from './browser.ts';
import {
  addPack,
  comeToBilling,
  continueBy,
  expectUsableByAll,
  fillAddress,
  orderPack,
  payWith,
  signIn,
} from './shop-steps.ts';

/** What the page itself reports as broken. */
const trouble: string[] = [];
let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ port: 4483 });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  trouble.length = 0;
  page = await newPage(await stage.browser.newContext({ baseURL: stage.url }));
});
afterEach(async () => {
  await page.context().close();
  expect(trouble).toEqual([]);
});

async function newPage(context: ReturnType<Page['context']>): Promise<Page> {
  const opened = await context.newPage();
  opened.on('pageerror', ({ message }) => trouble.push(message));
  opened.on(
    'console',
    (message) => message.text().includes('Content Security Policy') && trouble.push(message.text()),
  );
  return opened;
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string | RegExp) => page.getByRole('heading', { name });
const available = (amount: string) =>
  page.getByRole('banner').getByText(`Available: ${amount} submissions`);
async function stored(key: string): Promise<unknown> {
  return page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null'), key);
}

async function expectInUse(planName: string) {
  await page.waitForURL('**/dashboard');
  expect(await stored('userPlan')).toMatchObject({ name: planName });
  expect(await stored('selectedPlan')).toBeNull();
  expect(await stored('navigateToBilling')).toBeNull();
}

it('takes a visitor with a plan through registration and verification to a payment by card and to the dashboard', async () => {
  await comeToBilling(page, 'vera@example.test');
  await heading('Quarter').waitFor();
  await expectUsableByAll(page);
  await fillAddress(page);
  await continueBy(page, 'Test card');
  await payWith(page, 'is paid');
  await page.getByText('Quarter is paid and in use.').first().waitFor();
  await expectInUse('Quarter');
});

it('takes him there by wallet just as well', async () => {
  await comeToBilling(page, 'walter@example.test');
  await fillAddress(page);
  await continueBy(page, 'Test wallet');
  await heading('Test wallet').waitFor();
  await button('Continue').click();
  await expectInUse('Quarter');
});

it('leads those who are not signed in to an account, and keeps their choice', async () => {
  await page.goto('/auth/plans');
  await page
    .getByRole('region', { name: 'Plan comparison' })
    .getByRole('row', { name: /^Quarter.* No$/ })
    .waitFor();
  await button('Choose Quarter').click();
  await page.goto('/auth/billing');
  await page.getByText('Your choice is kept').waitFor();
  await expectUsableByAll(page);
  await signIn(page, 'bakery@demo.test');
  await page.waitForURL('**/auth/billing');
  await heading('Quarter').waitFor();
});

it('says beside the card that it was declined, and takes another one for the same order', async () => {
  await signIn(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  const order = new URL(page.url()).searchParams.get('order');
  await payWith(page, 'is declined');
  await page.getByRole('alert').getByText('Your card was declined.').waitFor();
  await expectUsableByAll(page);
  await payWith(page, 'is paid');
  await heading('Thank you, your order is paid').waitFor();
  await available('1,500').waitFor();
  await page.getByRole('img', { name: 'Cart: 0 items' }).waitFor();
  expect(new URL(page.url()).searchParams.get('order')).toBe(order);
  await page.reload();
  await heading('Thank you, your order is paid').waitFor();
  await available('1,500').waitFor();
});

it('brings an order back after a reload, failed as well as unpaid', async () => {
  await signIn(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  await page.reload();
  await heading('Waiting for payment').waitFor();
  await expectUsableByAll(page);
  await button(/^Pay now/).click();
  await payWith(page, 'is declined: insufficient funds');
  await page.getByRole('alert').getByText('insufficient funds').waitFor();
  await page.reload();
  await heading('Failed').waitFor();
  await expectUsableByAll(page);
  // Another way to the cart leads to the order that was made of it.
  await page.goto('/checkout');
  await button(/^Try again/).click();
  await payWith(page, 'is paid');
  await heading('Thank you, your order is paid').waitFor();
});

it('credits what was paid for when the tab was closed meanwhile', async () => {
  await signIn(page, 'admin@demo.test');
  await orderPack(page, '2,000 submissions');
  await payWith(page, 'is pending, then paid after a few seconds');
  await heading('Checking your payment').waitFor();
  // However long the look at it takes, the tab is closed before it hears more.
  await page.route('**/confirmPayment', () => {});
  await expectUsableByAll(page, [1440]);
  const context = page.context();
  await page.close();
  page = await newPage(context);
  await expect
    .poll(
      async () => {
        await page.goto('/checkout');
        await heading(
          /Thank you, your order is paid|Waiting for payment|Checking your payment/,
        ).waitFor();
        return heading('Thank you, your order is paid').count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await page.getByText('You now have 7,000 submissions').waitFor();
  expect(await stored('currentSale')).toBeNull();
});

it('asks the bank where a card wants that, and goes by its answer', async () => {
  await signIn(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  await payWith(page, 'asks for approval (3-D Secure)');
  await heading('Approve this payment').waitFor();
  await button('Reject').click();
  await page.getByText('The bank could not approve this payment.').first().waitFor();
  await button(/^(Try again|Pay now)/).click();
  await payWith(page, 'asks for approval (3-D Secure)');
  await button('Approve').click();
  await heading('Thank you, your order is paid').waitFor();
});

it('takes a wallet back where it was left, from the list of orders', async () => {
  await signIn(page, 'client@demo.test');
  await addPack(page, '500 submissions');
  await page.goto('/checkout');
  await page.getByLabel('Town').waitFor();
  await fillAddress(page);
  await continueBy(page, 'Test wallet');
  await button('Cancel and go back').click();
  await page.getByText('You came back without paying.').waitFor();
  await page.goto('/orders');
  await page
    .getByRole('link', { name: /^Pay now: the order of/ })
    .first()
    .click();
  await button(/^Pay now/).click();
  await button('Continue').click();
  await heading('Thank you, your order is paid').waitFor();
});

it('buys for a batch that ran out of submissions, and leads back to it', async () => {
  await signIn(page, 'museum@demo.test');
  await page.goto('/ask');
  const rows = Array.from({ length: 130 }, (_, index) => `${index},thing ${index}`);
  const buffer = Buffer.from(['Number,Name', ...rows].join('\n'));
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'things.csv', mimeType: 'text/csv', buffer });
  await page.getByLabel('Prompt for each row').fill('Describe {{Name}}.');
  await button('Start anyway').click();
  await page.waitForURL(/\/history\/[^/]+$/);
  const batch = page.url();
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Buy Credits' }).click();
  await button('Add to cart: 500 submissions').click();
  await page.getByRole('link', { name: 'Go to checkout' }).click();
  await page.getByLabel('Town').waitFor();
  await fillAddress(page);
  await continueBy(page, 'Test card');
  await payWith(page, 'is paid');
  await page.getByRole('link', { name: 'Back to your batch' }).click();
  await page.waitForURL(batch);
  await button('Resume: things.csv').click();
  await waitForState(page, 'completed');
  await available('490').waitFor();
});

it('makes an amount of packs, and lets the lines of a cart be changed', async () => {
  await signIn(page, 'client@demo.test');
  await page.goto('/credits');
  await page.getByLabel('Submissions you need').fill('3 many');
  await page.getByRole('button', { name: 'Add to cart', exact: true }).click();
  await page.getByText('Please enter a whole number').waitFor();
  await page.getByLabel('Submissions you need').fill('2,700');
  await page
    .getByText('1 × 2,000 submissions, 2 × 500 submissions. Together 3,000 submissions')
    .waitFor();
  await expectUsableByAll(page);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Cart: 2 items' }).click();
  await button(/^Continue to payment/).waitFor();
  await button('One more: Quantity of 500 submissions').click();
  const line = (name: string): Locator => page.getByRole('row', { name: new RegExp(name) });
  await expect.poll(() => line('500 submissions').textContent()).toContain('1,500');
  await page.getByLabel('Quantity of 500 submissions', { exact: true }).fill('10');
  await expect.poll(() => line('500 submissions').textContent()).toContain('5,000');
  await expectUsableByAll(page);
  await button('Remove 500 submissions').click();
  await page.getByRole('link', { name: 'Cart: 1 item' }).waitFor();
  await page.getByLabel('Town').fill('');
  await button(/^Continue to payment/).click();
  await page.getByText('Please enter the town.').waitFor();
  await expectUsableByAll(page);
  await button('Remove 2,000 submissions').click();
  await heading('Your cart is empty').waitFor();
  await expectUsableByAll(page);
});

it('shows invoices and payments, each with its details and as a file', async () => {
  await signIn(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  await payWith(page, 'is paid');
  await page.getByRole('link', { name: 'See the invoice' }).click();
  await page.getByRole('dialog').getByText('Billed to').waitFor();
  await expectUsableByAll(page);
  const arrival = page.waitForEvent('download');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Download invoice/ })
    .click();
  expect((await arrival).suggestedFilename()).toMatch(/^Invoice .+\.pdf$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.waitForURL(/\/orders$/);
  await expectUsableByAll(page);
  await page.getByLabel('Search').fill('nothing like it');
  await page.getByText('No matching orders.').waitFor();
  await button('Show all orders').click();
  await page.getByRole('link', { name: 'See the payments' }).click();
  await page
    .getByRole('row', { name: /Card.*Paid/ })
    .first()
    .waitFor();
  await expectUsableByAll(page);
});
