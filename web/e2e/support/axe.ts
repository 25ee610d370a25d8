import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * Every violation that axe finds on the page, one line for each element. In the page itself: the
 * usual builder opens a second page to collect the results of frames, which this product does not
 * have, and takes five times as long.
 */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (Reflect.get(window, 'axe') as typeof axe).run(document, {
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
