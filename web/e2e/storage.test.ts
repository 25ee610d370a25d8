import { expect } from '@playwright/test';
import { upload } from './support/ask-page.ts';
import { testOnStage } from './support/fixtures.ts';
import { signIn } from './support/sign-in.ts';

const test = testOnStage({ settings: { STORAGE_QUOTA_MB: '1' } });
/** 400 kB, which take about 830 kB with their rows. */
const text = `name\n${`${'x'.repeat(99)}\n`.repeat(4_000)}`;

test('warns of a full storage before it is reached', async ({ page }) => {
  await signIn(page, 'client@demo.test');
  const warning = page.getByText(/of your 1 MB of storage/);
  await page.goto('/sheets');
  await expect(page.getByText(/of 1 MB used/)).toBeVisible();
  await expect(warning).toHaveCount(0);
  await page.goto('/ask');
  await upload(page, 'large.csv', text);
  await expect(page.getByText('4,000 rows, 1 column')).toBeVisible();
  await page.goto('/sheets');
  await expect(warning).toContainText('you cannot upload sheets or start batches');
});
