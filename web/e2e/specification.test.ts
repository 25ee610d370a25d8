import { expect, type Page } from '@playwright/test';
import { upload } from './support/ask-page.ts';
import { startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { expectAccessibleAt, expectToast, openSettings } from './support/screens.ts';
import { addPack } from './support/shopping.ts';
import { signIn, signInByForm, startSession } from './support/sign-in.ts';

/** Points of the specification that no other journey passes; docs/specification.md lists all. */
const test = testOnStage();

test('shows the header and footer of the public pages', async ({ page }) => {
  await page.goto('/auth/about');
  await expect(page.locator('header a.logo')).toHaveAttribute('href', '/');
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0);
  const footer = page.locator('footer');
  await expect(footer).toContainText(
    'one-of-a-kind tool that simplifies bulk and batch processing',
  );
  await expect(footer.locator('address')).toContainText('Isle of Man');
  await expect(footer).toContainText('Trading Limited');
  await expect(footer.locator('a[href^="mailto:"]')).toContainText('@');
  await expect(footer.locator('a[href^="tel:"]')).toContainText('Freephone');
  for (const name of ['Privacy', 'Terms', 'About', 'Help'])
    await expect(footer.getByRole('link', { name })).toHaveAttribute(
      'href',
      `/auth/${name.toLowerCase()}`,
    );
  expect(await footer.locator('nav a[href^="http"]').count()).toBeGreaterThan(0);
  await signIn(page, 'client@demo.test', '/auth/about');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
});

test('has a screen for each public address', async ({ page }) => {
  for (const [path, title] of Object.entries({
    '/auth': 'Sign in',
    '/auth/login': 'Sign in',
    '/auth/register': 'Register',
    '/auth/reset': 'Set a new password',
    '/auth/plans': 'Plans',
    '/auth/billing': 'Billing',
    '/auth/about': 'About',
    '/auth/help': 'Help',
    '/auth/terms': 'Terms',
    '/auth/privacy': 'Privacy',
  })) {
    await page.goto(path);
    await expect(page).toHaveTitle(new RegExp(`^${title}.* · Rowmill$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(path);
  }
});

test('shows only a logo at the root while it fetches the plan', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await intercept(page, '**/api/getUserPlan', (route) => held.then(() => route.continue()));
  await page.goto('/');
  await expect(page.locator('.logo')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  answer();
  await expect(page).toHaveURL('/dashboard');
  await page.goto('/');
  await expect(page).toHaveURL('/dashboard');
});

test('shows the message of a plan look-up that names no plan', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  const json = { status: false, plan: null, billing_address: {}, message: 'No plan found' };
  await intercept(page, '**/api/getUserPlan', (route) => route.fulfill({ json }));
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('alert').getByText('No plan found').first()).toBeVisible();
  await expect(page).toHaveURL('/auth/plans');
});

test('knows a stored user by the record alone, whose id may be a number', async ({ page }) => {
  await page.goto('/auth/about');
  const storeUser = (email_verified_at: string | null) =>
    page.evaluate((user) => localStorage.setItem('currentUser', JSON.stringify(user)), {
      id: 1,
      first_name: 'Uma',
      last_name: 'User',
      phone: '',
      email: 'uma@example.test',
      email_verified_at,
      role_id: 1,
      profile_photo: null,
    });
  await storeUser('2026-01-01T00:00:00.000Z');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await storeUser(null);
  await page.goto('/');
  await expect(page.getByText('uma@example.test')).toBeVisible();
  await expect(page).toHaveURL('/auth/resendlink');
});

const titles = {
  '/dashboard': 'Dashboard',
  '/credits': 'Buy Credits',
  '/checkout': 'Checkout',
  '/ask': 'Create a Request (Upload Spreadsheet)',
  '/history': 'Processed Batches',
  '/profile': 'Profile',
  '/changepassword': 'Change password',
  '/payments': 'Payments',
  '/orders': 'Orders',
};
const entries = {
  Dashboard: '/dashboard',
  'Submit a Batch (CSV)': '/ask',
  'Processed Batches': '/history',
  Invoices: '/orders',
  'Edit Profile': '/profile',
  'Change Password': '/changepassword',
};

test('gives every page its title, and the menu and the header their entries', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  const header = page.getByRole('banner');
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(path);
    await expect(header.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(header.locator('h1 svg')).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^${title.replace(/[()]/g, '\\$&')}`));
    const heading = header.getByRole('heading', { level: 1, name: title, exact: true });
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(heading).toBeInViewport();
      await expect(heading.locator('svg')).toBeInViewport();
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  }
  await expect(page.getByRole('navigation', { name: 'Quick' })).toBeHidden();
  await openSettings(page);
  await expectEntries(page);
  await expect(page.getByText('Settings', { exact: true })).toBeVisible();
  await expect(header.getByRole('link', { name: 'Buy Credits' })).toHaveAttribute(
    'href',
    '/credits',
  );
  const fetched = page.waitForRequest('**/getAvailableCredits');
  await header.getByRole('button', { name: 'Refresh credits' }).click();
  await fetched;
  await addPack(page, '500 submissions');
  await expect(header.getByRole('link', { name: 'Cart: 1 item' })).toHaveAttribute(
    'href',
    '/checkout',
  );
  await page.setViewportSize({ width: 861, height: 1024 });
  await page.goto('/changepassword');
  await expect(header.locator('strong')).toHaveText(/\d/);
  await header.locator('strong').evaluate((balance) => balance.replaceChildren('123,456'));
  const cut = await header
    .locator('h1 span')
    .evaluate((title) => title.scrollWidth - title.clientWidth);
  expect(cut, 'pixels of the title that are out of view beside the menu').toBe(0);
  await page.setViewportSize({ width: 768, height: 1024 });
  await expect(header.getByRole('link', { name: 'Buy Credits' })).toBeInViewport();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole('navigation', { name: 'Quick' })).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await openSettings(page);
  await expectEntries(page);
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expect(drawer).toBeVisible();
  await page.mouse.click(380, 400);
  await expect(drawer).toBeHidden();
  // A window that becomes wide shows the menu beside the page instead.
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(drawer).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await startSession(page, 'admin@demo.test');
  await page.goto('/clients');
  await expect(header.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
});

async function expectEntries(page: Page) {
  for (const [name, path] of Object.entries(entries))
    await expect(
      page
        .getByRole('link', { name, exact: true })
        .and(page.locator(`[href="${path}"]`))
        .last(),
    ).toBeVisible();
}

test('stores the session under the specified keys only', async ({ page }) => {
  await page.goto('/auth/login');
  await page.evaluate(() => {
    for (const key of ['foo', 'currentSale', 'switchedAs', 'userPlan', 'billingAddress'])
      localStorage.setItem(key, '{"id":"old"}');
  });
  const call = page.waitForRequest('**/api/emedia/getProcessedFiles');
  const login = page.waitForResponse('**/api/login');
  await signInByForm(page, 'client@demo.test');
  expect(await (await login).json()).toMatchObject({
    user: { email: 'client@demo.test' },
    app_token: expect.any(String),
    user_token: expect.any(String),
  });
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('userToken') ?? ''));
  expect((await call).headers().authorization).toBe(`Bearer ${token}`);
  const keys = await page.evaluate(() => Object.keys(localStorage).sort());
  expect(keys).toEqual(['appToken', 'billingAddress', 'currentUser', 'userPlan', 'userToken']);
  const stored = (key: string) =>
    page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? ''), key);
  const user = await stored('currentUser');
  const fields = 'email email_verified_at first_name id last_name phone profile_photo role_id';
  expect(Object.keys(user).sort().join(' ')).toBe(fields);
  const { id } = user;
  expect(await stored('userPlan')).toMatchObject({ user_id: id });
  expect(await stored('billingAddress')).not.toHaveProperty('id');
});

test('loads its settings from a file, and says when that fails', async ({ page }) => {
  const loaded = page.waitForResponse('**/config.prod.json');
  await page.goto('/auth/about');
  expect(await (await loaded).json()).toMatchObject({
    environment: 'prod',
    hosts: { auth: expect.any(String), main: expect.any(String), plan: expect.any(String) },
    payments: { stripe: expect.any(Object), paypal: expect.any(Object) },
  });
  await intercept(page, '**/config.prod.json', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByText('Could not load /config.prod.json.')).toBeVisible();
});

test('says that it cannot start where the browser forbids storage', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
  });
  await page.goto('/auth/about');
  await expect(page.getByRole('heading', { name: 'Rowmill cannot start' })).toBeVisible();
  await expect(page.getByText('This site cannot store data.')).toBeVisible();
});

test('shows the progress of an upload and closes at 100 percent', async ({ page }) => {
  await signIn(page, 'client@demo.test', '/ask');
  await page.evaluate(() => {
    const shown = new Set<number>();
    Object.assign(window, { percents: () => [...shown] });
    new MutationObserver(() => {
      const bar = document.querySelector('progress');
      if (bar) shown.add(bar.value);
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
  // Slow enough for more than one report of progress.
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 400_000,
  });
  await upload(page, 'a.csv', `name\n${'Lamp\n'.repeat(60_000)}`);
  await expect(page.getByText('60,000 rows, 1 column')).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  const percents = await page.evaluate('percents()');
  expect(percents).toEqual([...(percents as number[])].sort((a, b) => a - b));
  expect(percents).toContain(0);
  expect((percents as number[]).length).toBeGreaterThan(2);
});

async function logOut(page: Page) {
  await openSettings(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log Out' });
  await expect(dialog.getByText('Are you sure you want to logout ?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/auth');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
}

/** A toast is shown for three seconds only, so the wait for it starts before its cause. */
const toastColour = (page: Page, message: string) =>
  page
    .getByText(message)
    .first()
    .evaluate((toast) => getComputedStyle(toast).backgroundColor);

test('asks before logging out and then clears local storage', async ({ page }) => {
  await signIn(page, 'client@demo.test');
  const colour = toastColour(page, 'You are signed out.');
  const called = page.waitForRequest('**/api/logout');
  await logOut(page);
  expect((await called).postData()).toBe('{}');
  expect(await colour).toBe('rgb(20, 102, 58)');
});

test('clears the session when logging out fails, and shows why', async ({ page }) => {
  await signIn(page, 'client@demo.test');
  const body = { status: false, code: 'internal', message: 'It broke.', request_id: '' };
  await intercept(page, '**/api/logout', (route) => route.fulfill({ status: 500, json: body }));
  const colour = toastColour(page, 'It broke.');
  await logOut(page);
  expect(await colour).toBe('rgb(163, 34, 27)');
});

test('clears the session of an unverified person without a call', async ({ page }) => {
  await signIn(page, 'client@demo.test');
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('currentUser') ?? '');
    localStorage.setItem('currentUser', JSON.stringify({ ...user, email_verified_at: null }));
  });
  await page.goto('/auth/about');
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  await logOut(page);
  expect(calls.filter((url) => url.endsWith('/api/logout'))).toEqual([]);
});

test('lists every prompt and uses one again', async ({ page }) => {
  await startSession(page, 'client@demo.test');
  const text = 'name\nLamp\n';
  await startBatch(page, { name: 'lamps.csv', text, question: 'Praise {{name}} twice' });
  await page.goto('/ask/prompts');
  const prompts = page.getByRole('region', { name: 'Your prompts' });
  await expect(prompts.getByText('Praise {{name}} twice')).toBeVisible();
  await prompts.getByLabel('Search prompts').fill('nothing like it');
  await expect(prompts.getByText('No matching prompts.')).toBeVisible();
  await prompts.getByRole('button', { name: 'Show all prompts' }).click();
  await prompts.getByRole('button', { name: 'Use again' }).first().click();
  await expect(page).toHaveURL('/ask');
  const drafts = await page.evaluate(() => sessionStorage.getItem('askDraft'));
  const [draft] = Object.values<{ prompt?: string }>(JSON.parse(drafts ?? '{}').value);
  expect(draft?.prompt).toBe('Praise {{name}} twice');
});

test('shows the answer to one question as plain text, and keeps it', async ({ page }) => {
  await signIn(page, 'client@demo.test', '/ask?sheet=none');
  await page.getByLabel('Your question').fill('Is <b>this</b> kept?');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByText('Balance after:')).toBeVisible();
  await expect(page.locator('article b')).toHaveCount(0);
  const answer = await page.getByRole('article').locator('p').nth(1).innerText();
  await page.getByRole('button', { name: 'Copy answer' }).click();
  await expectToast(page, 'Answer copied.');
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await page.getByRole('button', { name: 'Copy answer' }).click();
  await expectToast(page, 'The browser did not allow copying.');
  await expectAccessibleAt(page);
  await page.reload();
  await page.getByRole('link', { name: 'All prompts and answers' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'Is <b>this</b> kept?' });
  await expect(entry.getByText(/one question, 1 submission$/)).toBeVisible();
  await entry.getByText('Answer', { exact: true }).click();
  await expect(entry.getByText(answer, { exact: true })).toBeVisible();
  await expectAccessibleAt(page);
});

test('shows until when the plan of a client runs', async ({ page }) => {
  await signIn(page, 'admin@demo.test', '/clients');
  const row = page.getByRole('row', { name: /Bella Crellin/ });
  await expect(row.getByText(/^until /)).toBeVisible();
});
