import { expect } from '@playwright/test';
import { testOnStage } from './support/fixtures.ts';
import { expectAccessibleAt } from './support/screens.ts';
import { addPack, orderPack, payWith } from './support/shopping.ts';
import { startSession } from './support/sign-in.ts';

const test = testOnStage();

test('removes one line of the cart at a double click', async ({ page }) => {
  await startSession(page, 'bakery@demo.test');
  await addPack(page, '500 submissions');
  await page.getByRole('button', { name: 'Add to cart: 2,000 submissions' }).click();
  await page.getByRole('link', { name: 'Cart: 2 items' }).click();
  await page.getByRole('button', { name: 'Remove 500 submissions' }).dblclick();
  await expect(page.getByRole('link', { name: 'Cart: 1 item' })).toBeVisible();
});

test('shows invoices and payments and downloads an invoice', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  await orderPack(page, '500 submissions');
  await payWith(page, 'is paid');
  await page.getByRole('link', { name: 'See the invoice' }).click();
  await expect(page.getByRole('dialog').getByText('Billed to')).toBeVisible();
  await expectAccessibleAt(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('dialog').getByText('Billed to')).toBeVisible();
  await page.emulateMedia({ media: null });
  const arrival = page.waitForEvent('download');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Download invoice/ })
    .click();
  expect((await arrival).suggestedFilename()).toMatch(/^Invoice .+\.pdf$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/orders$/);
  await expectAccessibleAt(page);
  // Opened here, an order is closed by Back, and Back does not open a closed one again.
  const details = page
    .getByRole('main')
    .getByRole('button', { name: /^Details/ })
    .first();
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await details.click();
    // The address changes first, and an Escape before there is a dialog closes nothing.
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page).toHaveURL(/order=/);
    await close();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).toHaveURL(/\/orders$/);
  }
  await details.click();
  await page.reload();
  await expect(page.getByRole('dialog').getByText('Billed to')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/orders$/);
  await page.getByLabel('Search').fill('nothing like it');
  await expect(page.getByText('No matching orders.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all orders' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Card.*Paid/ }).first()).toBeVisible();
  await expectAccessibleAt(page);
});
