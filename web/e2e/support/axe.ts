import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Every violation that axe finds on the page, one line for each element. In the page itself: the
 * usual builder opens a second page to collect the results of frames, which this product does not
 * have, and takes five times as long.
 */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await load(page);
  return page.evaluate(async () => {
    const { violations } = await (Reflect.get(window, 'axe') as typeof axe).run(document, {
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/** Loads the smaller file, and not with `evaluate`, which would take as long as axe itself. */
async function load(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: source });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  await session.detach();
}
