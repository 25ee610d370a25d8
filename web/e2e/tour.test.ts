import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { expectState } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { signIn } from './support/sign-in.ts';

const test = testOnStage();

const devices = [
  { device: 'desk', width: 1440, email: 'client@demo.test' },
  { device: 'phone', width: 390, email: 'bakery@demo.test' },
];

for (const { device, width, email } of devices) {
  test(`leads a new client on a ${device} from the sample to a downloaded file with answers`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, email);
    await page.getByRole('link', { name: 'Try the sample' }).click();
    await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
    await expect(page.getByLabel('Prompt for each row')).toHaveValue(/\{\{Name\}\}/);
    await expect(page.getByText('Balance after')).toBeVisible();
    await page.getByRole('button', { name: 'Run 12 rows' }).click();
    await expect(page).toHaveURL(/\/history\/[^/]+$/);
    await expectState(page, 'completed');
    const arrival = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download: sample-products.csv' }).click();
    await page.getByRole('button', { name: /^Results as CSV:/ }).click();
    const lines = readFileSync(await (await arrival).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).toBe('Name,Material,Price,Answer,Problem');
    expect(lines).toHaveLength(13);
    for (const line of lines.slice(1)) {
      const name = line.slice(0, line.indexOf(','));
      expect(line).toContain(`makes people want the ${name}, made of`);
    }
    await page.goto('/dashboard');
    const used = page.getByRole('img', { name: /: 12 used$/ });
    await expect(used).toBeVisible();
    await expect(page.getByText('Rows run so far: 12')).toBeVisible();
  });
}

test('lists the keyboard shortcuts and keeps the menu at least 264 px wide', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'client@demo.test');
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  const menu = await page.getByRole('navigation', { name: 'Main', exact: true }).boundingBox();
  expect(menu?.width).toBeGreaterThanOrEqual(264);
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys.getByText('Go to any page')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
});
