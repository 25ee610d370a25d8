import { expect, type Locator, type Page } from '@playwright/test';
import { upload } from './support/ask-page.ts';
import { expectState } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { expectAccessibleAt, readLocalStorage } from './support/screens.ts';
import {
  addPack,
  continueToPayment,
  fillAddress,
  openLateTab,
  orderPack,
  payWith,
  registerWithPlan,
} from './support/shopping.ts';
import { signIn, signInByForm, startSession } from './support/sign-in.ts';

const test = testOnStage();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });
const available = (page: Page, amount: string) =>
  page.getByRole('banner').getByText(`Available: ${amount} submissions`);

async function expectQuarterInUse(page: Page) {
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('main').getByText(/^until .*\d{4}$/)).toBeVisible();
  expect(await readLocalStorage(page, 'userPlan')).toMatchObject({ name: 'Quarter' });
  expect(await readLocalStorage(page, 'selectedPlan')).toBeNull();
  expect(await readLocalStorage(page, 'navigateToBilling')).toBeNull();
}

test('registers a visitor who chose a plan, takes the card payment and opens the dashboard', async ({
  page,
}) => {
  await registerWithPlan(page, 'vera@example.test');
  await expect(heading(page, 'Quarter')).toBeVisible();
  await expectAccessibleAt(page);
  await fillAddress(page);
  await continueToPayment(page, 'Test card');
  const claim = page.waitForRequest('**/api/emedia/setPlan');
  await payWith(page, 'is paid');
  await expect(page.getByText('Quarter is paid and active.').first()).toBeVisible();
  // The plan merged with its order.
  expect((await claim).postDataJSON()).toMatchObject({
    name: 'Quarter',
    order_id: expect.any(String),
  });
  await expectQuarterInUse(page);
  // Days are written as people write them.
  await page.goto('/auth/plans');
  await button(page, 'Choose Free').click();
  await expect(
    page
      .locator('section', { has: button(page, 'Choose Free') })
      .getByText(
        /^The Quarter plan runs until \d{1,2} [A-Z][a-z]+ \d{4}\. You can switch to a free plan then\.$/,
      ),
  ).toBeVisible();
});

test('takes a wallet payment for the plan of a new client', async ({ page }) => {
  await registerWithPlan(page, 'walter@example.test');
  await fillAddress(page);
  await continueToPayment(page, 'Test wallet');
  await expect(heading(page, 'Test wallet')).toBeVisible();
  await button(page, 'Continue').click();
  await expectQuarterInUse(page);
  // Another plan starts when this one ends.
  await page.goto('/auth/plans');
  await button(page, 'Choose Year').click();
  await expect(page.getByText('30,000 submissions, added when you pay.')).toBeVisible();
  await fillAddress(page);
  await continueToPayment(page, 'Test card');
  await expect(page.getByLabel('Choose a test card')).toBeVisible();
  const order = page.url();
  // On the page for a moment, then in a message on the dashboard.
  const starts = page.getByText(/^Year is paid, and its .* starts on .*\d{4}\.$/).first();
  await payWith(page, 'is paid');
  await expect(starts).toBeVisible();
  await expectQuarterInUse(page);
  const next = page.getByText(/^Then: Year from .*\d{4}$/);
  await expect(next).toBeVisible();
  await expect(available(page, '37,000')).toBeVisible();
  await page.goto('/auth/plans');
  await expect(page.getByText('Your plan: Quarter')).toBeVisible();
  await expect(next).toBeVisible();
  await expectAccessibleAt(page);
  // As in another browser, which does not know what was chosen.
  await page.goto(order);
  await expect(starts).toBeVisible();
});

test('asks a visitor to sign in and remembers the plan they chose', async ({ page }) => {
  await page.goto('/auth/plans');
  await expect(page.getByRole('table').getByRole('row', { name: /^Quarter £49/ })).toBeVisible();
  await button(page, 'Choose Quarter').click();
  await page.goto('/auth/billing');
  await expect(page.getByText('Your choice is saved')).toBeVisible();
  await expectAccessibleAt(page);
  await signInByForm(page, 'bakery@demo.test');
  await expect(page).toHaveURL('/auth/billing');
  await expect(heading(page, 'Quarter')).toBeVisible();
});

test('counts the lines of the cart, and keeps an address that is typed until the order has it', async ({
  page,
}) => {
  await startSession(page, 'museum@demo.test');
  await addPack(page, '500 submissions');
  await button(page, 'Add to cart: 500 submissions').click();
  await expect(page.getByRole('link', { name: 'Cart: 1 item' })).toBeVisible();
  await button(page, 'Add to cart: 2,000 submissions').click();
  const badge = page.getByRole('link', { name: 'Cart: 2 items' });
  await expect(badge).toHaveText('2');
  await badge.click();
  await expect(page).toHaveURL('/checkout');
  await expect(page.getByRole('spinbutton')).toHaveCount(2);
  const sale = await readLocalStorage<Sale>(page, 'currentSale');
  expect(sale).toMatchObject({ customer: { user_id: expect.any(String) }, type: 'credits' });
  const sum = (of: (item: Sale['items'][number]) => number) =>
    sale.items.reduce((all, item) => all + of(item), 0);
  const summary = page.getByRole('complementary', { name: 'Summary' });
  const qty = sum(({ quantity, count }) => quantity * count);
  await expect(summary).toContainText(`Submissions${qty.toLocaleString('en')}`);
  const total = sum(({ quantity, rate }) => quantity * rate);
  await expect(summary).toContainText(`£${(total / 100).toFixed(2)}`);
  await fillAddress(page);
  await page.getByLabel('Town').fill('Peel');
  await page.reload();
  await expect(page.getByLabel('Town')).toHaveValue('Peel');
  await expect(page.getByLabel('Country')).toHaveValue('IM');
  await continueToPayment(page, 'Test card');
  await expect(page.getByLabel('Choose a test card')).toBeVisible();
  await page.goto('/profile');
  await expect(page.getByLabel('Town')).toHaveValue('Peel');
  await page.getByLabel('Town').fill('Ramsey');
  await button(page, 'Save address').click();
  await expect(page.getByText('Billing address saved.').first()).toBeVisible();
  await page.goto('/checkout');
  await button(page, 'Back to the cart').click();
  await expect(page.getByLabel('Town')).toHaveValue('Ramsey');
});

interface Sale {
  items: { quantity: number; count: number; rate: number }[];
}

test('says that a card was declined and accepts another one for the same order', async ({
  page,
}) => {
  await startSession(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  const order = new URL(page.url()).searchParams.get('order');
  await payWith(page, 'is declined');
  await expect(page.getByRole('alert').getByText('Your card was declined.').first()).toBeVisible();
  await expectAccessibleAt(page);
  await payWith(page, 'is paid');
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
  await expect(available(page, '1,500')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Cart: 0 items' })).toBeVisible();
  expect(new URL(page.url()).searchParams.get('order')).toBe(order);
  await page.reload();
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
  await expect(available(page, '1,500')).toBeVisible();
});

test('shows an unpaid or failed order again after a reload', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  await page.reload();
  await expect(heading(page, 'Waiting for payment')).toBeVisible();
  await expectAccessibleAt(page);
  await button(page, /^Pay now/).click();
  await payWith(page, 'is declined: insufficient funds');
  await expect(page.getByRole('alert').getByText('insufficient funds').first()).toBeVisible();
  await page.reload();
  await expect(heading(page, 'Failed')).toBeVisible();
  await expectAccessibleAt(page);
  // The checkout opens the existing order of the cart.
  await page.goto('/checkout');
  await button(page, /^Try again/).click();
  await payWith(page, 'is paid');
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
});

test('offers an order for payment no longer in any tab once it is paid in one', async ({
  page,
}) => {
  await startSession(page, 'bakery@demo.test');
  await orderPack(page, '500 submissions');
  const [list, checkout] = [await page.context().newPage(), await page.context().newPage()];
  await list.goto('/orders');
  const payNow = list.getByRole('link', { name: /^Pay now: the order of/ });
  await expect(payNow).toHaveCount(1);
  await checkout.goto(page.url());
  await button(checkout, /^Pay now/).click();
  await expect(checkout.getByLabel('Choose a test card')).toBeVisible();
  const late = await openLateTab(page);
  await expect(button(late, /^Pay now/)).toBeVisible();
  await payWith(page, 'is paid');
  for (const tab of [page, checkout])
    await expect(heading(tab, 'Thank you, your order is paid')).toBeVisible();
  await expect(list.getByRole('row', { name: /500 submissions.*Paid/ })).toBeVisible();
  await expect(payNow).toHaveCount(0);
  // A tab that missed the payment pays nothing more.
  await button(late, /^Pay now/).click();
  await expect(heading(late, 'Thank you, your order is paid')).toBeVisible();
  await expect(available(late, '800')).toBeVisible();
});

test('asks for no payment of an order once the same was paid in another one', async ({ page }) => {
  await startSession(page, 'bakery@demo.test');
  await orderPack(page, '500 submissions');
  const first = page.url();
  const late = await page.context().newPage();
  await late.goto(first);
  const missing = await openLateTab(page);
  for (const tab of [late, missing]) {
    await button(tab, /^Pay now/).click();
    await expect(tab.getByLabel('Choose a test card')).toBeVisible();
  }
  await button(page, 'Back to the cart').click();
  await continueToPayment(page, 'Test card');
  await payWith(page, 'is paid');
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
  // Also in the tab where its card form was open.
  await expect(heading(late, 'Replaced')).toBeVisible();
  await expect(late.getByLabel('Choose a test card')).toHaveCount(0);
  await expectAccessibleAt(late);
  await late.getByRole('link', { name: 'See the paid order' }).click();
  await expect(late.getByRole('dialog').getByText('This order is paid.')).toBeVisible();
  await late.getByRole('button', { name: 'Close' }).click();
  const line = late.getByRole('row', { name: /500 submissions Replaced/ });
  await expect(line.first()).toBeVisible();
  await expect(line.getByRole('link')).toHaveCount(0);
  await line
    .first()
    .getByRole('button', { name: /^Details/ })
    .click();
  await expect(late.getByRole('dialog').getByText('Nothing is due for this one.')).toBeVisible();
  await expectAccessibleAt(late);
  // A tab that missed it charges no card.
  await payWith(missing, 'is paid');
  await expect(heading(missing, 'Replaced')).toBeVisible();
  await expect(missing.getByText('Nothing was charged for this one.')).toBeVisible();
  await late.goto('/payments');
  const attempt = late.getByRole('row', { name: /500 submissions Card Replaced/ });
  await expect(attempt.first()).toBeVisible();
});

test('credits a payment that finished after the tab was closed', async ({ page }) => {
  await startSession(page, 'admin@demo.test');
  await orderPack(page, '2,000 submissions');
  // The page gets no answer, so the tab always closes before it knows the result.
  await intercept(page, '**/confirmPayment', () => {});
  await payWith(page, 'is pending, then paid after a few seconds');
  await expect(heading(page, 'Checking your payment')).toBeVisible();
  await expectAccessibleAt(page, [1440]);
  const context = page.context();
  await page.close();
  const nextPage = await context.newPage();
  await nextPage.goto('/checkout');
  await expect(
    heading(nextPage, /Thank you, your order is paid|Waiting for payment|Checking your payment/),
  ).toBeVisible();
  // The page follows, without a reload.
  await expect(heading(nextPage, 'Thank you, your order is paid')).toBeVisible();
  // The Admin view shows no balance.
  await expect(nextPage.getByText('You now have')).toHaveCount(0);
  await nextPage
    .getByRole('group', { name: 'View' })
    .getByRole('button', { name: 'Client' })
    .first()
    .click();
  await nextPage.getByRole('button', { name: 'Myself' }).click();
  await expect(available(nextPage, '7,000')).toBeVisible();
  expect(await readLocalStorage(nextPage, 'currentSale')).toBeNull();
});

test('opens the bank’s approval page and follows its answer', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  await payWith(page, 'asks for approval (3-D Secure)');
  await expect(heading(page, 'Approve this payment')).toBeVisible();
  await button(page, 'Refuse').click();
  await expect(page.getByText('The bank could not approve this payment.').first()).toBeVisible();
  await button(page, /^(Try again|Pay now)/).click();
  await payWith(page, 'asks for approval (3-D Secure)');
  const polled = page.waitForRequest('**/emedia/getPaymentStatus');
  await button(page, 'Approve').click();
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
  await polled;
});

test('returns from bank and wallet to the address of the buyer', async ({ browser, baseURL }) => {
  const site = String(baseURL).replace('127.0.0.1', 'localhost');
  const page = await browser.newPage({ baseURL: site });
  await startSession(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  await payWith(page, 'asks for approval (3-D Secure)');
  await button(page, 'Approve').click();
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
  await addPack(page, '500 submissions');
  await page.getByRole('link', { name: 'Go to checkout' }).click();
  await continueToPayment(page, 'Test wallet');
  await button(page, 'Continue').click();
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
  await page.close();
});

test('buys submissions for a batch that ran out of them and returns to it', async ({ page }) => {
  await signIn(page, 'museum@demo.test', '/ask');
  const rows = Array.from({ length: 130 }, (_, index) => `${index},thing ${index}`);
  await upload(page, 'things.csv', ['Number,Name', ...rows].join('\n'));
  await page.getByLabel('Prompt for each row').fill('Describe {{Name}}.');
  await expect(page.getByText('Up to 120 submissions · 10 more needed for all rows')).toBeVisible();
  await button(page, 'Run 120 rows').click();
  await expect(page).toHaveURL(/\/history\/[^/]+$/);
  const batch = page.url();
  const main = page.getByRole('main');
  const notice =
    'Out of submissions. 10 more submissions needed for all remaining rows. Finished answers are kept.';
  await expect(main.getByText(notice, { exact: true })).toBeVisible();
  await expectAccessibleAt(page);
  const balances = /\/api\/emedia\/(getAvailableCredits|events)/;
  await intercept(page, balances, (route) => route.abort());
  await page.reload();
  await expect(main.getByRole('link', { name: 'Buy Credits' })).toBeVisible();
  await page.unroute(balances);
  await page.reload();
  await expect(main.getByText(notice, { exact: true })).toBeVisible();
  await page.goto('/dashboard');
  await expect(main.getByText('None left')).toBeVisible();
  await page.goto('/ask');
  await upload(page, 'more.csv', 'Name,Price\nLamp,3\nVase,4\n');
  await page.getByLabel('Prompt for each row').fill('Describe {{Name}}.');
  const bar = page.getByRole('region', { name: 'Cost and start' });
  await expect(bar.getByText(/^You’re 2 submissions short\.$/)).toBeVisible();
  await page.goto(batch);
  // Before the balance is known, the link has no amount.
  await expect(main.getByText(notice, { exact: true })).toBeVisible();
  await main.getByRole('link', { name: 'Buy Credits' }).click();
  await expect(page.getByLabel('Submissions you need')).toHaveValue('10');
  await page.getByRole('button', { name: 'Add to cart', exact: true }).click();
  await page.getByRole('link', { name: 'Go to checkout' }).click();
  await fillAddress(page);
  await continueToPayment(page, 'Test card');
  await payWith(page, 'is paid');
  await page.getByRole('link', { name: 'Back to your batch' }).click();
  await expect(page).toHaveURL(batch);
  await expect(main.getByText('Your balance now covers all remaining rows.')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Buy Credits' })).toHaveCount(0);
  await button(page, 'Resume: things.csv').click();
  await expectState(page, 'completed');
  await expect(available(page, '490')).toBeVisible();
});

test('splits an amount into packs and lets the cart be edited', async ({ page }) => {
  await signIn(page, 'client@demo.test', '/credits');
  await page.getByLabel('Submissions you need').fill('3 many');
  await page.getByRole('button', { name: 'Add to cart', exact: true }).click();
  await expect(page.getByText('Please enter a whole number')).toBeVisible();
  // A double click adds once, and Enter in the quantity adds too.
  await button(page, 'Add to cart: 500 submissions').dblclick();
  const quantity = page.getByLabel('Quantity of 500 submissions', { exact: true });
  await quantity.fill('3');
  await quantity.press('Enter');
  await expect(quantity).toHaveValue('1');
  await page.getByRole('link', { name: 'Cart: 1 item' }).click();
  await expect(page.getByRole('row', { name: /500 submissions/ })).toContainText('2,000');
  await button(page, 'Remove 500 submissions').click();
  await page.goBack();
  await page.getByLabel('Submissions you need').fill('2,700');
  await expect(
    page.getByText('1 × 2,000 submissions, 2 × 500 submissions. Together 3,000 submissions'),
  ).toBeVisible();
  await expectAccessibleAt(page);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Cart: 2 items' }).click();
  await expect(button(page, /^Continue to payment/)).toBeVisible();
  await button(page, 'One more: Quantity of 500 submissions').click();
  const line = (name: string): Locator => page.getByRole('row', { name: new RegExp(name) });
  await expect(line('500 submissions')).toContainText('1,500');
  await page.getByLabel('Quantity of 500 submissions', { exact: true }).fill('10');
  await expect(line('500 submissions')).toContainText('5,000');
  const many = page.getByLabel('Quantity of 500 submissions', { exact: true });
  await many.fill('20000');
  await expect(line('500 submissions')).toContainText('At most 10,000.');
  await expect(line('500 submissions')).toContainText('5,000,000');
  await expectAccessibleAt(page);
  await many.press('Tab');
  await expect(many).toHaveValue('10000');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await many.fill('4');
  await expect(page.getByText('At most 10,000.')).toHaveCount(0);
  await expect(summary).toContainText('Submissions4,000');
  await expect(summary).toContainText('Other packs give you 4,000 submissions and save you £4.00.');
  await button(page, 'Swap the packs').click();
  await expect(page.getByRole('link', { name: 'Cart: 1 item' })).toBeVisible();
  await expect(summary).not.toContainText('Other packs');
  await page.getByLabel('Tax number').scrollIntoViewIfNeeded();
  await expect(button(page, 'Continue to payment: £40.00')).toBeInViewport();
  // Nothing is ticked or added in advance.
  await expect(page.getByRole('main').getByRole('checkbox', { checked: true })).toHaveCount(0);
  await page.getByLabel('Town').fill('');
  await button(page, /^Continue to payment/).click();
  await expect(page.getByText('Please enter the town.')).toBeVisible();
  await expectAccessibleAt(page);
  await fillAddress(page);
  await continueToPayment(page, 'Test card');
  const ordered = page.getByRole('complementary', { name: 'Your order' }).getByRole('listitem');
  await expect(ordered).toHaveText(/^2 × 2,000 submissions\n4,000 submissions\s/, {
    useInnerText: true,
  });
  await button(page, 'Back to the cart').click();
  await button(page, 'Remove 2,000 submissions').click();
  await expect(heading(page, 'Your cart is empty')).toBeVisible();
  await expectAccessibleAt(page);
});
