import { expect, type Locator, type Page } from '@playwright/test';
import { findViolations } from './axe.ts';

export const phoneAndDesk: readonly number[] = [390, 1440];

/** A short message at the edge of the page, not its copy in the list of notifications. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const toasts = page.locator('body').getByRole('status').or(page.getByRole('alert'));
  await expect(toasts.getByText(text).first()).toBeVisible();
}

/** Presses a button and expects a toast with the message of the server's answer. */
export async function clickForMessage(button: Locator, call: string): Promise<void> {
  const answered = button.page().waitForResponse(`**/${call}`);
  await button.click();
  const { message } = await (await answered).json();
  expect(message).not.toBe('');
  await expectToast(button.page(), message);
}

export async function expectRow(area: Page | Locator, name: string | RegExp): Promise<void> {
  await expect(area.getByRole('row', { name })).toBeVisible();
}

/** In the header, or on a phone in the menu. */
export async function chooseView(page: Page, view: 'Admin' | 'Client') {
  if ((page.viewportSize()?.width ?? 0) < 860)
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
  await page
    .getByRole('group', { name: 'View' })
    .filter({ visible: true })
    .getByRole('button', { name: view })
    .click();
}

/** Opens a menu and presses one of its entries. */
export async function clickMenu(page: Page, menu: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('button', { name: entry }).click();
}

/** Counts what the mouse or a finger presses, on this page and on every one that follows. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  const listen = () =>
    addEventListener('click', ({ isTrusted }) => isTrusted && Reflect.get(window, 'countClick')(), {
      capture: true,
    });
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => clicks;
}

export async function readLocalStorage<T = unknown>(page: Page, key: string): Promise<T> {
  return page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null'), key);
}

/** A colour of the design in the theme that is shown, as the browser computes it. */
export function colourOf(page: Page, token: string): Promise<string> {
  return page.evaluate((name) => {
    const sample = document.body.appendChild(document.createElement('i'));
    sample.style.color = `var(${name})`;
    const { color } = getComputedStyle(sample);
    sample.remove();
    return color;
  }, token);
}

export async function boxOf(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error('What is measured is not on the page.');
  return box;
}

/**
 * A fading colour has another contrast. A dialog that replaces something at a new width opens with
 * the next frame, and only then fades in. Spinners never end and are not waited for.
 */
async function expectStill(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ effect, playState }) =>
          playState !== 'running' ||
          effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  );
}

/** No violation that axe finds. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectStill(page);
  expect(await findViolations(page)).toEqual([]);
  await expectToFit(page);
}

/**
 * Nothing is wider than the screen, and scrolling parts have a shadow where they hide something.
 */
export async function expectToFit(page: Page): Promise<void> {
  const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(fits, 'the page fits the width of the screen').toBe(true);
  const hiding = await page.evaluate(() =>
    [...document.querySelectorAll('main *, dialog *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .filter((element) => {
        const { overflowX, backgroundAttachment } = getComputedStyle(element);
        return /auto|scroll/.test(overflowX) && !backgroundAttachment.includes('local');
      })
      .filter((element) => !element.matches('[data-more] *, input, textarea, select'))
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );
  expect(hiding, 'what hides columns without a shadow').toEqual([]);
}

/**
 * Phones have the dark theme. Menus may close when the width changes, so `open` runs again for each
 * width.
 */
export async function expectAccessibleAt(
  page: Page,
  widths = phoneAndDesk,
  open = async () => {},
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: width < 700 ? 'dark' : 'light' });
    await open();
    await expectAccessible(page);
  }
}

/** Opens the entries under Settings in the visible menu. A public page shows Logout at once. */
export async function openSettings(page: Page): Promise<void> {
  const summary = page.locator('summary', { hasText: 'Settings' }).filter({ visible: true }).last();
  await summary
    .or(page.getByRole('button', { name: 'Logout' }))
    .first()
    .waitFor();
  const isClosed = page.locator('details:not([open]) > summary').and(summary);
  if (await isClosed.count()) await summary.click();
}
