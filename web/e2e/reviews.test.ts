import { expect, type Page } from '@playwright/test';
import { expectAccessibleAt } from './support/screens.ts';
import { addPack, continueToPayment, fillAddress, orderPack, payWith } from './support/shopping.ts';
import { signIn, startSession } from './support/sign-in.ts';
import { testOnWalletStage } from './support/wallet-stage.ts';

const test = testOnWalletStage();

const main = (page: Page) => page.getByRole('main');

async function payWrongAmount(page: Page) {
  await startSession(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  await payWith(page, 'is paid with the wrong amount');
  await expect(page.getByText('In review').first()).toBeVisible();
  await expect(page.getByRole('img', { name: 'Cart: 0 items' })).toBeVisible();
}

/** Signs in as the operator and opens the only payment in review. */
async function openReview(page: Page) {
  await signIn(page, 'operator@demo.test');
  await main(page).getByRole('link', { name: '1 payment waits for your decision' }).click();
  await main(page)
    .getByRole('button', { name: 'Decide about the payment of Clara Quayle' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Payment of Clara Quayle' });
  await expect(dialog.getByText('amount', { exact: true })).toBeVisible();
  return dialog;
}

test('credits the client when an operator accepts a payment of the wrong amount', async ({
  openPage,
  page,
}) => {
  await payWrongAmount(page);
  const second = await openPage();
  const late = await openReview(second);
  await late.getByLabel('Reason').fill('Too late');
  const dialog = await openReview(page);
  await expectAccessibleAt(page);
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await expect(dialog.getByText('Enter a reason first.')).toBeVisible();
  // Enter presses none of the buttons.
  await dialog.getByLabel('Reason').fill('By mistake');
  await dialog.getByLabel('Reason').press('Enter');
  await dialog.getByLabel('Reason').fill('The bank took a fee');
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await expect(main(page).getByText('No payments to review.')).toBeVisible();
  // The second operator comes back to the window, and the payment is no longer listed.
  const listed = second.waitForResponse('**/getReviews');
  await second.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await listed;
  await expect(main(second).getByText('No payments to review.')).toBeVisible();
  await expect(late.getByLabel('Reason')).toHaveValue('Too late');
  await late.getByRole('button', { name: 'Reject' }).click();
  await expect(late.getByText('This payment has already been decided.').first()).toBeVisible();
  await page.goto('/operator?view=audit');
  await expect(
    main(page)
      .getByText('accepted a payment that did not match its order: The bank took a fee')
      .first(),
  ).toBeVisible();
  await signIn(page, 'client@demo.test');
  await expect(page.getByRole('banner').getByText('Available: 1,500 submissions')).toBeVisible();
});

test('shows the client a refund when an operator rejects the payment of a plan, which can be chosen again', async ({
  page,
}) => {
  await startSession(page, 'client@demo.test');
  await page.goto('/auth/plans');
  await page.getByRole('button', { name: 'Choose Quarter' }).click();
  await fillAddress(page);
  await continueToPayment(page, 'Test card');
  await payWith(page, 'is paid with the wrong amount');
  await expect(page.getByText('In review').first()).toBeVisible();
  await page.goto('/auth/plans');
  await page.getByRole('button', { name: 'Choose Quarter' }).click();
  await expect(page.getByRole('button', { name: /^Continue to payment/ })).toBeVisible();
  const dialog = await openReview(page);
  await dialog.getByLabel('Reason').fill('Given back at the provider');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(main(page).getByText('No payments to review.')).toBeVisible();
  await signIn(page, 'client@demo.test', '/orders');
  await expect(main(page).getByText('Refunded').first()).toBeVisible();
});

test('shows why the provider refuses a refund and lets an operator refund another way', async ({
  page,
  wallet,
}) => {
  await startSession(page, 'client@demo.test');
  await addPack(page, '500 submissions');
  await page.goto('/checkout');
  await fillAddress(page);
  await continueToPayment(page, 'PayPal');
  await page.getByLabel('Pay the wrong amount').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('In review').first()).toBeVisible();
  wallet.orders.refundRefusal = 'Your balance is too low.';
  const dialog = await openReview(page);
  await dialog.getByLabel('Reason').fill('Not as ordered');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(
    main(page).getByText('The provider refused the refund: Your balance is too low.'),
  ).toBeVisible();
  await main(page)
    .getByRole('button', { name: 'Decide about the payment of Clara Quayle' })
    .click();
  await expect(dialog.getByText('We retry every five minutes.')).toBeVisible();
  await expectAccessibleAt(page);
  await dialog.getByLabel('Reason').fill('By bank transfer');
  await dialog.getByRole('button', { name: 'Refunded another way' }).click();
  await expect(main(page).getByText('No payments to review.')).toBeVisible();
  await page.goto('/operator?view=audit');
  await expect(
    main(page).getByText('returned a rejected payment another way: By bank transfer').first(),
  ).toBeVisible();
});

test('lets an operator find the admin who will manage a client', async ({ page }) => {
  await signIn(page, 'operator@demo.test', '/operator?search=museum');
  await main(page).getByRole('link', { name: 'Max Moore' }).click();
  const person = main(page).getByRole('region', { name: 'Change manager' });
  await person.getByLabel('Find an admin').fill('no such name');
  await person.getByLabel('Find an admin').press('Enter');
  await expect(person.getByText('No matching admins.')).toBeVisible();
  await expect(person.getByLabel('Find an admin')).toBeFocused();
  await expect(person.getByLabel('Managed by').locator('option:checked')).toContainText(
    'Adam Kelly',
  );
  await person.getByLabel('Find an admin').fill('admin@demo');
  await expect(person.getByText('No matching admins.')).toHaveCount(0);
  await expectAccessibleAt(page);
  // The form must not offer a manager whom another operator has removed.
  const other = await page.context().newPage();
  await other.goto(new URL(page.url()).pathname);
  const elsewhere = main(other).getByRole('region', { name: 'Change manager' });
  await elsewhere.getByLabel('Managed by').selectOption('No one');
  await elsewhere.getByLabel('Reason').fill('Left the agency');
  await elsewhere.getByRole('button', { name: 'Change manager' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
  await expect(elsewhere.getByLabel('Reason')).toHaveValue('');
  const balance = main(page).getByRole('region', { name: 'Adjust balance' });
  await balance.getByLabel('Adjust submissions').fill('1');
  await balance.getByLabel('Reason').fill('Goodwill');
  await balance.getByRole('button', { name: 'Adjust balance' }).click();
  await expect(person.getByLabel('Managed by').locator('option:checked')).toHaveText('No one');
});
