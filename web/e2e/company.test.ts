import { expect } from '@playwright/test';
import { testOnStage } from './support/fixtures.ts';

const test = testOnStage({ settings: { OPERATOR_PHONE: '', OPERATOR_SOCIAL: '' } });

test('names no phone number and no social links when the company has none', async ({ page }) => {
  await page.goto('/auth/help');
  await expect(page.getByText('Didn’t find it? Write to support@rowmill.example.')).toBeVisible();
  const footer = page.locator('footer');
  await expect(footer.locator('address a')).toHaveCount(1);
  await expect(footer).not.toContainText('Freephone');
  await expect(footer.locator('a[href^="http"]')).toHaveCount(0);
});
