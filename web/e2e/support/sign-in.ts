import { expect, type Locator, type Page } from '@playwright/test';

export const demoPassword = 'rowmill-demo';

/** Fills in and sends the form on the current page. */
export async function submitSignIn(page: Page, email: string, password = demoPassword) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function signInByForm(page: Page, email: string, password = demoPassword) {
  await page.goto('/auth/login');
  await submitSignIn(page, email, password);
  await page.waitForURL((url) => url.pathname !== '/auth/login');
}

/** Signs in by a call, which takes less than the form, and returns what the app stores then. */
async function callSignIn(page: Page, email: string) {
  const data = { email, password: demoPassword };
  const { user, user_token, app_token } = await (
    await page.request.post('/api/login', { data })
  ).json();
  return { currentUser: user, userToken: user_token, appToken: app_token };
}

function storeSession(session: object) {
  localStorage.clear();
  for (const [key, value] of Object.entries(session))
    localStorage.setItem(key, JSON.stringify(value));
}

/**
 * Starts a session, also in the place of another one. For calls before the first page of the app,
 * which takes half a second of CPU time.
 */
export async function startSession(page: Page, email: string) {
  const session = await callSignIn(page, email);
  // A page of the server without scripts.
  await page.goto('/health/live');
  await page.evaluate(storeSession, session);
}

/** Starts a session and opens a page with it. */
export async function signIn(page: Page, email: string, path = '/') {
  await using _ = await page.addInitScript(storeSession, await callSignIn(page, email));
  await page.goto(path);
}

/** The link of the latest email with this subject, once there are this many. */
export async function linkInEmail(page: Page, subject: string, to: string, emails = 1) {
  let found: { subject: string; to: string; text: string }[] = [];
  const countEmails = async () => {
    const headers = { accept: 'application/json' };
    const { mails } = await (await page.request.get('/dev/mail', { headers })).json();
    found = mails.filter(
      (mail: (typeof found)[number]) => mail.subject.includes(subject) && mail.to === to,
    );
    return found.length;
  };
  await expect.poll(countEmails).toBe(emails);
  return found[0]?.text.match(/https?:\/\/\S+/)?.[0] ?? '';
}

/** Waits for the email with this subject and opens its link. */
export async function openEmailLink(page: Page, subject: string, to: string) {
  await page.goto(await linkInEmail(page, subject, to));
}

/**
 * Ends the session and clicks in one step. Between two steps the page could make another call, be
 * refused, and leave before the click.
 */
export async function clickInEndedSession(target: Locator): Promise<void> {
  await target.click({ trial: true });
  await target.evaluate((element: HTMLElement) => {
    localStorage.setItem('userToken', JSON.stringify('ended'));
    element.click();
  });
}
