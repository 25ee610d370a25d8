import { expect, type Page } from '@playwright/test';

/**
 * Waits until the service worker is active (an app that never becomes idle registers it after 30
 * seconds) and reloads through it. A browser whose worker starts too slowly opens the page without
 * it, so the reload may repeat.
 */
export async function loadThroughWorker(page: Page): Promise<void> {
  const isActive = () => navigator.serviceWorker.getRegistration().then((found) => !!found?.active);
  await page.waitForFunction(isActive, null, { timeout: 60_000 });
  const isControlled = async () => {
    await page.reload();
    return page.evaluate(() => navigator.serviceWorker.controller !== null);
  };
  await expect.poll(isControlled, { intervals: [500] }).toBe(true);
}
