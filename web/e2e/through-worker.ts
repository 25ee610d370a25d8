import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Loads the page once more through its worker, which comes when the app is at rest. A browser whose worker starts too slowly
 * opens the page without it; the next load has it again.
 */
export async function loadThroughWorker(page: Page): Promise<void> {
  // A busy app does not register it before half a minute has passed.
  const isActive = () => navigator.serviceWorker.getRegistration().then((found) => !!found?.active);
  await page.waitForFunction(isActive, null, { timeout: 60_000 });
  const isThrough = async () => {
    await page.reload();
    return page.evaluate(() => navigator.serviceWorker.controller !== null);
  };
  await expect.poll(isThrough, { timeout: 60_000, interval: 500 }).toBe(true);
}
