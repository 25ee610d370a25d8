import { expect, type Page, type Request } from '@playwright/test';
import { upload } from './support/ask-page.ts';
import { openCompleted, startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { expectAccessible, openSettings } from './support/screens.ts';
import { password, registerForPlan } from './support/shopping.ts';
import {
  clickInEndedSession,
  demoPassword,
  linkInEmail,
  signIn,
  signInByForm,
  startSession,
  submitSignIn,
} from './support/sign-in.ts';

const day = 24 * 3_600_000;
/** The server's, moved by the last test. */
const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) };
const test = testOnStage({ clock });

const isCall = (request: Request) => request.url().includes('/api/');
const describeCall = (request: Request) =>
  `${new URL(request.url()).pathname} ${request.postData() ?? ''}`;

/** How often each call was made. Calls with different bodies count separately. */
const countsOf = (requests: readonly Request[]) =>
  new Map(
    [...Map.groupBy(requests, describeCall)].map(([call, { length }]) => [call, length] as const),
  );

/** Ends the session without the page noticing. */
const endSession = (page: Page) =>
  page.evaluate(() => localStorage.setItem('userToken', JSON.stringify('ended')));

/** Delays every call from now on until `release` is called. */
async function holdCalls(page: Page): Promise<{ waiting: () => number; release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let waiting = 0;
  await intercept(page, '**/api/**', async (route) => {
    waiting += 1;
    await released;
    await route.continue();
  });
  return { waiting: () => waiting, release };
}

test('opens the dashboard for a verified person who wanted the page for a new link', async ({
  page,
}) => {
  await page.goto('/auth/resendlink');
  await expect(page).toHaveURL('/auth');
  await signInByForm(page, 'client@demo.test');
  await expect(page).toHaveURL('/dashboard');
});

test('opens the sign-in page once when several calls fail, and repeats each call at most once', async ({
  page,
}) => {
  await signIn(page, 'client@demo.test');
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  await expect(page.getByRole('banner').getByText('Available: 1,000 submissions')).toBeVisible();
  const requests: Request[] = [];
  const places: string[] = [];
  const held = await holdCalls(page);
  await openSettings(page);
  page.on('request', (request) => isCall(request) && requests.push(request));
  await endSession(page);
  page.on('framenavigated', (frame) => places.push(new URL(frame.url()).pathname));
  // Each page is left before its data has arrived.
  await page.getByRole('button', { name: 'Refresh credits' }).click();
  for (const [name, title] of [
    ['Invoices', 'Orders'],
    ['Activity', 'Activity'],
    ['Edit Profile', 'Profile'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  await expect.poll(held.waiting).toBeGreaterThanOrEqual(5);
  const before = countsOf(requests);
  const repeated = () =>
    [...countsOf(requests)].filter(([call, count]) => count === 2 * (before.get(call) ?? 1));
  const repeatedTooOften = () =>
    [...countsOf(requests)].filter(([call, count]) => count > 2 * (before.get(call) ?? 1));
  held.release();
  await expect(page).toHaveURL('/auth');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  // The event stream and calls of pages that are closed need not be repeated.
  await expect.poll(() => repeated().length).toBeGreaterThanOrEqual(1);
  await page.getByLabel('Email').fill('someone@example.test');
  expect(repeatedTooOften()).toEqual([]);
  expect(places.filter((path) => path === '/auth')).toHaveLength(1);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
});

test('asks to sign in again however the session ended', async ({ page }) => {
  const ways: Record<string, () => Promise<unknown>> = {
    'a page is opened': async () => {
      // Calls of a page that is still loading would end the session before.
      await page.goto('/config.prod.json');
      await endSession(page);
      await page.goto('/orders', { waitUntil: 'commit' });
    },
    'the balance is refreshed': () =>
      clickInEndedSession(page.getByRole('button', { name: 'Refresh credits' })),
    'a file is uploaded': async () => {
      await page.goto('/ask');
      await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
      await endSession(page);
      await upload(page, 'goods.csv', 'Name\nTeapot');
    },
    'the person logs out': async () => {
      await openSettings(page);
      await page.getByRole('button', { name: 'Logout' }).click();
      await clickInEndedSession(page.getByRole('dialog').getByRole('button', { name: 'Log Out' }));
    },
  };
  for (const [way, end] of Object.entries(ways)) {
    await signIn(page, 'client@demo.test');
    await expect(page.getByRole('banner').getByText('Available: 1,000 submissions')).toBeVisible();
    await end();
    const words = 'Please sign in again.';
    await expect(page.getByRole('alert').getByText(words).first(), way).toBeVisible();
    await expect(page, way).toHaveURL('/auth');
    await expect(page.getByRole('main').getByText(words), way).toBeVisible();
  }
});

test('brings a person back to their sheet and prompt after the session ended', async ({ page }) => {
  await signIn(page, 'client@demo.test', '/ask');
  await page.getByRole('button', { name: 'Use the sample sheet' }).click();
  const prompt = page.getByLabel('Prompt for each row');
  await prompt.fill('Praise {{Name}}.');
  await clickInEndedSession(page.getByRole('button', { name: 'Run 12 rows' }));
  await expect(page).toHaveURL('/auth');
  await expect(page.getByRole('main').getByText('Please sign in again.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('userToken'))).toBeNull();
  await submitSignIn(page, 'client@demo.test');
  await expect(page).toHaveURL('/ask');
  await expect(page.getByText('12 rows, 3 columns')).toBeVisible();
  await expect(prompt).toHaveValue('Praise {{Name}}.');
  await expect(page.getByRole('button', { name: 'Run 12 rows' })).toBeEnabled();
});

test('brings a person back to a correction that was not saved, and not another one', async ({
  page,
}) => {
  const correct = page.getByText('Correct or add a note');
  const note = page.getByRole('complementary', { name: 'Row 1' }).getByLabel('Note');
  await startSession(page, 'bakery@demo.test');
  const text = 'Name\nLamp\n';
  const id = await openCompleted(page, { name: 'lamps.csv', text, question: 'Praise {{Name}}.' });
  await page.goto(`/history/${id}?row=1`);
  const writeInEndedSession = async () => {
    await correct.click();
    await note.fill('Ask Ada.');
    await clickInEndedSession(page.getByRole('button', { name: 'Save', exact: true }));
    await expect(page).toHaveURL('/auth');
  };
  await writeInEndedSession();
  await submitSignIn(page, 'bakery@demo.test');
  await expect(note).toHaveValue('Ask Ada.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.').first()).toBeVisible();
  await page.reload();
  await expect(correct).toBeVisible();
  await expect(note).toBeHidden();
  await writeInEndedSession();
  await submitSignIn(page, 'museum@demo.test');
  await expect(page.getByRole('banner').getByText(/^Available:/)).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Ask Ada.');
});

test('forgets the page that a visitor asked for once they reach another one', async ({
  openContext,
}) => {
  const visitor = await (await openContext()).newPage();
  await visitor.goto('/history');
  await expect(visitor).toHaveURL('/auth');
  await signIn(visitor, 'client@demo.test', '/ask');
  await expect(visitor.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  await visitor.goto('/');
  await expect(visitor).toHaveURL('/dashboard');
});

test('closes the forms for signing in once the person has signed in in another tab', async ({
  openContext,
}) => {
  const context = await openContext();
  const [login, register, wanted] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ];
  await login.goto('/auth/login');
  await register.goto('/auth/register');
  await register.getByLabel('First name').fill('Clara');
  await wanted.goto('/history?search=tea');
  await expect(wanted).toHaveURL('/auth');
  await signInByForm(await context.newPage(), 'client@demo.test');
  await expect(login).toHaveURL('/dashboard');
  await expect(login.getByText('Welcome, Clara.')).toBeVisible();
  await expect(register).toHaveURL('/dashboard');
  await expect(wanted).toHaveURL('/history?search=tea');
});

test('leaves no page of a person open once they sign out in another tab', async ({
  openContext,
}) => {
  const context = await openContext();
  const [left, page] = [await context.newPage(), await context.newPage()];
  await signIn(page, 'client@demo.test');
  await left.goto('/history');
  await expect(left.getByText('No batches yet.')).toBeVisible();
  await openSettings(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/auth');
  await expect(left).toHaveURL('/auth');
  await expect(left.getByRole('main').getByText('You are signed out.')).toBeVisible();
});

test('leaves no page of a person open when Back shows it after they signed out', async ({
  page,
}) => {
  await signIn(page, 'client@demo.test', '/history');
  await expect(page.getByText('No batches yet.')).toBeVisible();
  // As from the cache of left pages, which Playwright turns off.
  await page.evaluate(() => {
    localStorage.clear();
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(page).toHaveURL('/auth');
  await expect(page.getByText('No batches yet.')).toHaveCount(0);
});

test('repeats a write with the same idempotency key, so it happens once', async ({ page }) => {
  await signIn(page, 'client@demo.test', '/ask?sheet=none');
  await page.getByLabel('Your question').fill('Does this arrive twice?');
  const requests: Request[] = [];
  page.on('request', (request) => request.url().endsWith('/askChatGpt') && requests.push(request));
  await clickInEndedSession(page.getByRole('button', { name: 'Ask', exact: true }));
  await expect(page).toHaveURL('/auth');
  await expect.poll(() => requests.length).toBe(2);
  const keys = requests.map((request) => request.headers()['idempotency-key']);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
  await signInByForm(page, 'client@demo.test');
  await expect(page.getByRole('banner').getByText('Available: 1,000 submissions')).toBeVisible();
  expect(requests).toHaveLength(2);
});

test('reloads once for a missing part of an old version and then asks the person', async ({
  page,
}) => {
  await signIn(page, 'client@demo.test');
  await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  await intercept(page, '**/assets/ask-page-*.js', (route) =>
    route.fulfill({ status: 404, body: '' }),
  );
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.getByRole('link', { name: 'Submit a Batch (CSV)' }).first().click();
  await expect(page.getByRole('heading', { name: 'This page cannot be shown' })).toBeVisible();
  await expect.poll(() => loads).toBe(1);
  await page.unroute('**/assets/ask-page-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
});

test('says that an emailed link has expired, and offers the next step', async ({
  page,
  openPage,
}) => {
  await registerForPlan(page, 'late@example.test', 'Free');
  const verification = await linkInEmail(page, 'Please verify your email', 'late@example.test');
  await page.goto('/auth/reset');
  await page.getByLabel('Email').fill('client@demo.test');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  const reset = await linkInEmail(page, 'Set a new password', 'client@demo.test');
  await signIn(page, 'admin@demo.test', '/profile');
  const address = page.locator('section', { hasText: 'Email address' });
  await address.getByLabel('New email').fill('moved@example.test');
  await address.getByLabel('Your password', { exact: true }).fill(demoPassword);
  await address.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByText('moved@example.test', { exact: true })).toBeVisible();
  const change = await linkInEmail(page, 'Please verify your new email', 'moved@example.test');
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Add client' }).click();
  const adding = page.getByRole('dialog', { name: 'Add client' });
  await adding.getByLabel('First name').fill('Tardy');
  await adding.getByLabel('Last name').fill('Guest');
  await adding.getByLabel('Email').fill('tardy@example.test');
  await adding.getByRole('button', { name: 'Invite' }).click();
  const invitation = await linkInEmail(page, 'invites you', 'tardy@example.test');

  clock.ahead = 8 * day;
  const guest = await openPage();
  const expired = guest.getByRole('main').getByText('This link has expired. Ask for a new one.');
  await guest.goto(reset);
  await guest.getByLabel('New password', { exact: true }).fill(password);
  await guest.getByRole('button', { name: 'Set password' }).click();
  await expect(expired).toBeVisible();
  // A form that would always be refused is not shown.
  await expect(guest.getByLabel('New password', { exact: true })).toHaveCount(0);
  await guest.getByRole('link', { name: 'Request a new link' }).click();
  await expect(guest).toHaveURL('/auth/reset');
  await guest.goto(change);
  await expect(expired).toBeVisible();
  await expect(guest.getByText('Your current address stays.')).toBeVisible();
  await expect(guest.getByRole('link', { name: 'your profile' })).toHaveAttribute(
    'href',
    '/profile',
  );
  await guest.goto(invitation);
  await expect(
    guest.getByRole('heading', { name: 'This invitation is no longer valid' }),
  ).toBeVisible();
  await expect(guest.getByText('Ask the person who invited you for a new one.')).toBeVisible();
  await guest.goto(verification);
  await expect(expired).toBeVisible();
  await expectAccessible(guest);
  await guest.getByLabel('Your email').fill('late@example.test');
  await guest.getByRole('button', { name: 'Send a new link' }).click();
  await guest.goto(await linkInEmail(page, 'Please verify your email', 'late@example.test', 2));
  await expect(guest.getByText('Welcome, Vera.')).toBeVisible();
});

test('shows nothing of one person in a tab after another signed in elsewhere', async ({ page }) => {
  await startSession(page, 'bakery@demo.test');
  const text = 'Name\nLamp\n';
  await startBatch(page, { name: 'secret.csv', text, question: 'Praise {{Name}}.' });
  await page.goto('/history');
  await expect(page.getByText('secret.csv')).toBeVisible();
  const other = await page.context().newPage();
  await signIn(other, 'museum@demo.test', '/history');
  await expect(page.getByText('secret.csv')).toHaveCount(0);
  await expect(page.getByRole('banner').getByText('Available: 120 submissions')).toBeVisible();
});

test('signs out one device at a double click, and then all others', async ({ page, openPage }) => {
  const email = 'museum@demo.test';
  const guests = await Promise.all([openPage(), openPage(), openPage(), openPage()]);
  for (const guest of guests) await signIn(guest, email, '/sheets');
  await signIn(page, email, '/profile');
  const section = page.locator('section', { hasText: 'Signed-in devices' });
  const signOut = section.getByRole('button', { name: 'Sign out', exact: true });
  await expect(section.getByText('This device')).toBeVisible();
  await section.getByRole('button', { name: /^Show all / }).click();
  await expect(section.getByRole('button', { name: 'Show fewer' })).toBeVisible();
  const before = await signOut.count();
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/revokeSession')) calls.push(request.postData() ?? '');
  });
  await signOut.first().click();
  await expect(signOut).toHaveCount(before - 1);
  // The second click of a double click meets the button of the next device.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await section.getByRole('button', { name: 'Sign out all others' }).click();
  await expect(signOut).toHaveCount(0);
  expect(calls).toHaveLength(2);
  for (const guest of guests) {
    await guest.reload();
    await expect(guest.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  }
  await page.reload();
  await expect(section.getByText('This device')).toBeVisible();
});
