import { expect, type Page } from '@playwright/test';
import { upload } from './support/ask-page.ts';
import { addPack, continueToPayment, fillAddress } from './support/shopping.ts';
import { startSession } from './support/sign-in.ts';
import { testOnWalletStage } from './support/wallet-stage.ts';

const test = testOnWalletStage();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name });

async function orderByWallet(page: Page) {
  await addPack(page, '500 submissions');
  await page.getByRole('link', { name: 'Go to checkout' }).click();
  await fillAddress(page);
  await continueToPayment(page, 'PayPal');
}

test('says that a wallet declined, and takes the payment at the next try', async ({ page }) => {
  await startSession(page, 'museum@demo.test');
  await orderByWallet(page);
  await page.getByLabel('Decline the payment').check();
  await button(page, 'Continue').click();
  await expect(heading(page, 'Failed')).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByText('The payment method was declined.')).toBeVisible();
  await expect(main.getByText('go back and pay another way')).toBeVisible();
  await expect(button(page, 'Back to the cart')).toBeVisible();
  await button(page, /^Try again/).click();
  await button(page, 'Continue').click();
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
});

test('waits while the wallet checks the payment, and offers no second one', async ({
  page,
  wallet,
}) => {
  await startSession(page, 'bakery@demo.test');
  await orderByWallet(page);
  await page.getByLabel('the wallet takes a few seconds').check();
  await button(page, 'Continue').click();
  const main = page.getByRole('main');
  await expect(heading(page, 'Checking your payment')).toBeVisible();
  // A reload forgets that the buyer has just come back from the wallet.
  await page.goto('/checkout');
  await expect(heading(page, 'Checking your payment')).toBeVisible();
  await expect(main.getByText('is still checking this payment')).toBeVisible();
  await expect(main.getByRole('button')).toHaveText(['Check again']);
  await page.goto('/orders');
  await expect(main.getByText('Waiting for payment').first()).toBeVisible();
  await expect(main.getByRole('link', { name: /^Pay now/ })).toHaveCount(0);
  for (const order of wallet.orders.all.values())
    if (order.outcome === 'pending') wallet.orders.endCapture(order, 'COMPLETED');
  await page.goto('/checkout');
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
});

test('resumes a cancelled wallet payment from the list of orders', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  await orderByWallet(page);
  await button(page, 'Cancel and go back').click();
  await expect(page.getByText('You came back without paying.')).toBeVisible();
  await page.goto('/orders');
  await page
    .getByRole('link', { name: /^Pay now: the order of/ })
    .first()
    .click();
  await button(page, /^Pay now/).click();
  await button(page, 'Continue').click();
  await expect(heading(page, 'Thank you, your order is paid')).toBeVisible();
});

test('says what is owed after a refund of submissions that are used', async ({
  page,
  stage,
  wallet,
}) => {
  wallet.sender.deliverTo(`${stage.url}/webhooks/paypal`);
  const main = page.getByRole('main');
  const paid = heading(page, 'Thank you, your order is paid');
  await startSession(page, 'museum@demo.test');
  await addPack(page, '500 submissions');
  await orderByWallet(page);
  await button(page, 'Continue').click();
  await expect(paid).toBeVisible();
  await page.goto('/ask');
  const rows = Array.from({ length: 1_700 }, (_, index) => `thing ${index}`);
  await upload(page, 'things.csv', ['Name', ...rows].join('\n'));
  await page.getByLabel('Prompt for each row').fill('Describe {{Name}}.');
  await button(page, /^Run 1,\d{3} rows$/).click();
  await expect(main.getByText('Out of submissions.')).toBeVisible();
  const batch = page.url();
  await page.goto('/dashboard');
  await expect(main.getByText('None left')).toBeVisible();
  const order = [...wallet.orders.all.values()].at(-1);
  wallet.orders.refund(order?.id ?? '');
  await expect(main.getByText('You owe 1,000 submissions')).toBeVisible();
  await page.goto(batch);
  await expect(main.getByText('1,000 of them pay what you owe')).toBeVisible();
  await page.goto('/auth/plans');
  await expect(main.getByText('You owe 1,000 submissions')).toBeVisible();
  await page.goto('/ask');
  await upload(page, 'more.csv', 'Name\nfirst\nsecond');
  await page.getByLabel('Prompt for each row').fill('Describe {{Name}}.');
  const bar = page.getByRole('region', { name: 'Cost and start' });
  await expect(bar.getByRole('button', { name: 'Run' })).toBeDisabled();
  await expect(bar.getByText('You owe 1,000 submissions')).toBeVisible();
  await bar.getByRole('link', { name: 'Buy Credits' }).click();
  await expect(page.getByLabel('Submissions you need')).toHaveValue('1002');
  await expect(main.getByText('You owe 1,000 submissions')).toBeVisible();
  await orderByWallet(page);
  await button(page, 'Continue').click();
  await expect(paid).toBeVisible();
  await expect(main.getByText('500 of them paid what you owed')).toBeVisible();
  await expect(main.getByText('You still owe 500 submissions')).toBeVisible();
});
