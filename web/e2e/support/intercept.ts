import { expect, type Page } from '@playwright/test';

const probe = '**/health/live';

/**
 * Like `page.route`, which an open page may follow only a moment later: on a busy machine, a call
 * made at once would pass.
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route);
  if (page.url() === 'about:blank') return;
  await page.route(probe, (one) => one.fulfill({ body: 'intercepted' }));
  const ask = () => fetch('/health/live').then((answer) => answer.text());
  await expect.poll(() => page.evaluate(ask).catch(() => '')).toBe('intercepted');
  await page.unroute(probe);
}
