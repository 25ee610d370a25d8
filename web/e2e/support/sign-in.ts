import { expect, type Locator, type Page } from '@playwright/test';

export const demoPassword = 'rowmill-demo';

/** Fills in and sends the form on the current page. */
export async function submitSignIn(page: Page, email: string, password = demoPassword) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function signIn(page: Page, email: string, password = demoPassword) {
  await page.goto('/auth/login');
  await submitSignIn(page, email, password);
  await page.waitForURL((url) => url.pathname !== '/auth/login');
}

/** Signs in with another account in the same browser. */
export async function signInAs(page: Page, email: string) {
  // A blank page has no storage.
  await page.goto('/auth/about');
  await page.evaluate(() => localStorage.clear());
  await signIn(page, email);
}

/** Waits for an email with this subject in the outbox and opens its link. */
export async function openEmailLink(page: Page, subject: string, to: string) {
  const email = page.locator('article', { hasText: subject }).filter({ hasText: to }).first();
  const hasArrived = async () => {
    await page.goto('/dev/mail');
    return email.count();
  };
  await expect.poll(hasArrived).toBe(1);
  await email.getByRole('link').first().click();
}

/**
 * Ends the session and clicks in one step. Between two steps the page could make another call, be refused,
 * and leave before the click.
 */
export async function clickInEndedSession(target: Locator): Promise<void> {
  await target.click({ trial: true });
  await target.evaluate((element: HTMLElement) => {
    localStorage.setItem('userToken', JSON.stringify('ended'));
    element.click();
  });
}
