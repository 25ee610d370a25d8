import { expect, type Page } from '@playwright/test';
import { testOnStage } from './support/fixtures.ts';
import { addPack, continueToPayment, fillAddress } from './support/shopping.ts';
import { signIn } from './support/sign-in.ts';

const test = testOnStage();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name });

test('says that a wallet declined, and takes the payment at the next try', async ({ page }) => {
  await signIn(page, 'museum@demo.test');
  await addPack(page, '500 submissions');
  await page.getByRole('link', { name: 'Go to checkout' }).click();
  await fillAddress(page);
  await continueToPayment(page, 'Test wallet');
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
