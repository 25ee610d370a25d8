import type { Locator } from 'playwright-core';

/**
 * The session ends at the server while the browser still believes in it, and the person presses at once: between the two,
 * nothing else of the page may ask, for then the page would be left before it is pressed.
 */
export async function pressInEndedSession(target: Locator): Promise<void> {
  await target.click({ trial: true });
  await target.evaluate((element: HTMLElement) => {
    localStorage.setItem('userToken', JSON.stringify('ended'));
    element.click();
  });
}
