import { expect, type Page } from '@playwright/test';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import {
  boxOf,
  expectAccessible,
  expectAccessibleAt,
  expectToast,
  expectToFit,
  openSettings,
  phoneAndDesk,
  readLocalStorage,
} from './support/screens.ts';
import { password, registerForPlan } from './support/shopping.ts';
import {
  demoPassword,
  linkInEmail,
  openEmailLink,
  signIn,
  signInByForm,
  startSession,
  submitSignIn,
} from './support/sign-in.ts';

const test = testOnStage();

test('takes a new client from registration to the dashboard', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('Newcomer');
  await page.getByLabel('Email').fill('nora@example.test');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create my account' }).click();
  await expect(page.getByText('At least 8 characters.')).toBeVisible();
  await expect(page.getByText(/^(Very weak|Weak) password\. ./)).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue('Nora');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await expect(page.getByText('At least 8 characters.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeFocused();
  await openEmailLink(page, 'Please verify', 'nora@example.test');
  await expect(page.getByText('Your email address is verified')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { name: 'Try it in a minute' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText('');
  await expect(page.getByText('Available: 25 submissions')).toBeVisible();
  await openEmailLink(page, 'Please verify', 'nora@example.test');
  const known = page.getByText(/^This email address is already verified\. Continue$/);
  await expect(known).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(page.getByText(/^This email address is already verified\. Sign in$/)).toBeVisible();
});

test('starts the free plan that a visitor chose, once their address is verified', async ({
  page,
}) => {
  await registerForPlan(page, 'frida@example.test', 'Free');
  await signInByForm(page, 'frida@example.test', password);
  await expect(page).toHaveURL('/auth/resendlink');
  for (const path of ['/auth', '/dashboard']) {
    // The message is shown for three seconds only, perhaps while the page still loads.
    await page.goto(path, { waitUntil: 'commit' });
    if (path === '/dashboard') await expectToast(page, /^To access this feature, please verify/);
    await expect(page).toHaveURL('/auth/resendlink');
  }
  expect(await readLocalStorage(page, 'selectedPlan')).toMatchObject({ id: 'free' });
  const verifications: string[] = [];
  page.on(
    'request',
    (request) => request.url().endsWith('/api/verifyLink') && verifications.push(request.url()),
  );
  const start = page.waitForRequest('**/api/emedia/setPlan');
  await openEmailLink(page, 'Please verify', 'frida@example.test');
  await expect(page.getByText('Welcome, Vera.')).toBeVisible();
  expect(verifications).toHaveLength(1);
  // The plan merged with its person.
  expect((await start).postDataJSON()).toMatchObject({ name: 'Free', user_id: expect.any(String) });
  await expect(page.getByText('Available: 25 submissions')).toBeVisible();
  expect(await readLocalStorage(page, 'userPlan')).toMatchObject({ id: 'free' });
  expect(await readLocalStorage(page, 'billingAddress')).toEqual({});
  expect(await readLocalStorage(page, 'selectedPlan')).toBeNull();
});

test('offers the plans to a new person who left the payment of one', async ({ page }) => {
  await registerForPlan(page, 'quinn@example.test', 'Quarter');
  await openEmailLink(page, 'Please verify', 'quinn@example.test');
  await expect(page).toHaveURL('/auth/billing');
  await page.goto('/dashboard');
  // Without submissions the sample would end before its start.
  const steps = page.getByRole('region', { name: 'Try it in a minute' });
  await expect(steps.getByText('You have no submissions yet.')).toBeVisible();
  await expect(steps.getByRole('link', { name: 'Try the sample' })).toHaveCount(0);
  await expectAccessible(page);
  await steps.getByRole('link', { name: 'Choose a plan' }).click();
  await page.getByRole('button', { name: 'Choose Free' }).click();
  await expect(page.getByText('Available: 25 submissions')).toBeVisible();
  await expect(steps.getByRole('link', { name: 'Try the sample' })).toBeVisible();
});

const ownPages = ['/dashboard', '/profile', '/changepassword', '/ask', '/orders'];

test('leads every address to its page, and unknown ones to the dashboard or the sign-in form', async ({
  page,
}) => {
  for (const path of ['/', '/dashboard', '/clients', '/clients/x', '/nonsense', '/auth/nonsense']) {
    await page.goto(path);
    await expect(page).toHaveURL('/auth');
  }
  await page.goto('/Auth/Help/?topic=prices#top');
  await expect(page).toHaveURL('/auth/help?topic=prices#top');
  await signInByForm(page, 'client@demo.test');
  await expect(page).toHaveURL('/dashboard');
  // A token that was stored without the quotes of JSON is the same token.
  await page.evaluate(() => {
    localStorage.setItem('userToken', JSON.parse(localStorage.getItem('userToken') ?? '""'));
  });
  for (const path of ['/', '/clients', '/nonsense', '/Dashboard/']) {
    await page.goto(path);
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText('Welcome, Clara.')).toBeVisible();
  }
  for (const path of ['/ORDERS/', '/orders//?search=tea']) {
    await page.goto(path);
    await expect(page).toHaveURL(path.includes('?') ? '/orders?search=tea' : '/orders');
    await expect(page).toHaveTitle('Orders · Rowmill');
    const title = page.getByRole('heading', { level: 1, name: 'Orders' });
    await expect(title.locator('.lucide-file-text')).toBeVisible();
  }
});

test('gives a new person the free plan on whichever page they open first', async ({ page }) => {
  const email = 'adam@example.test';
  const data = { first_name: 'Adam', last_name: 'Askew', email, password: demoPassword };
  await page.request.post('/api/registerUser', { data });
  const [, token] = (await linkInEmail(page, 'Please verify', email)).split('#');
  await page.request.post('/api/verifyLink', { data: { token } });
  await signIn(page, email, '/ask');
  await expect(page.getByText('Available: 25 submissions')).toBeVisible();
  expect(await readLocalStorage(page, 'userPlan')).toMatchObject({ id: 'free' });
});

test('explains why a plan could not be loaded and opens the plans page', async ({ page }) => {
  await signIn(page, 'bakery@demo.test');
  await expect(page.getByText('Welcome, Bella.')).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('userPlan'));
  await intercept(page, '**/api/getUserPlan', (route) => route.abort());
  // The message disappears after a few seconds, so the test looks for it before the page has
  // loaded.
  await page.goto('/', { waitUntil: 'commit' });
  await expect(
    page.getByRole('alert').getByText('The server cannot be reached.').first(),
  ).toBeVisible();
  await expect(page).toHaveURL('/auth/plans');
  await expect(page.getByRole('alert').getByText('The server cannot be reached.')).toBeHidden();
  await expect(page.getByRole('main').getByText('The server cannot be reached.')).toBeVisible();
  await page.unroute('**/api/getUserPlan');
  await page.goto('/');
  await expect(page.getByText('Welcome, Bella.')).toBeVisible();
});

test('shows the plan that the person has, not one that was stored earlier', async ({ page }) => {
  await signIn(page, 'client@demo.test');
  await expect(page.getByText('Quarter plan')).toBeVisible();
  await page.evaluate(() => {
    const plan = JSON.parse(localStorage.getItem('userPlan') ?? '{}');
    localStorage.setItem('userPlan', JSON.stringify({ ...plan, name: 'Earlier' }));
  });
  await page.reload();
  await expect(page.getByText('Quarter plan')).toBeVisible();
  await expect(page.getByText('Earlier plan')).toHaveCount(0);
});

test('opens the page of an emailed link after signing in, and no other site', async ({ page }) => {
  await page.goto('/history?search=tea');
  await expect(page).toHaveURL('/auth');
  await submitSignIn(page, 'client@demo.test');
  await expect(page).toHaveURL('/history?search=tea');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/auth');
  await page.evaluate(() =>
    sessionStorage.setItem('nextPage', JSON.stringify({ path: '//evil.test/', userId: null })),
  );
  await submitSignIn(page, 'client@demo.test');
  await expect(page).toHaveURL('/dashboard');
});

test('leads with the offer, its price and the way in', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/auth');
  const offer = page.getByRole('heading', { level: 1, name: /^One question/ });
  expect((await offer.boundingBox())?.y).toBeLessThan(200);
  await expect(page.getByText(/Free plan, no card\. £.* per 100 submissions/)).toBeVisible();
  for (const name of ['Plans', 'Help', 'Sign in'])
    await expect(page.getByRole('banner').getByRole('link', { name })).toBeVisible();
  await expectAccessibleAt(page, phoneAndDesk);
});

test('leaves the button where it is when the strength of a password arrives', async ({ page }) => {
  const loaded = Promise.withResolvers<void>();
  await intercept(page, /estimate-strength/, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await page.goto('/auth/register');
  await page.getByLabel('Password', { exact: true }).fill(password);
  const create = page.getByRole('button', { name: 'Create my account' });
  const before = await boxOf(create);
  loaded.resolve();
  await expect(page.getByText('Strong password.')).toBeVisible();
  expect(await boxOf(create)).toEqual(before);
});

test('stays on the sign-in form and says that the password is wrong', async ({ page }) => {
  await page.goto('/auth/login');
  await submitSignIn(page, 'client@demo.test', 'not the password');
  const message = 'The email address or password is wrong. Check both and try again.';
  await expect(page.locator('[popover] [role=alert]').getByText(message)).toBeVisible();
  await expect(page.getByRole('main').getByText(message)).toBeVisible();
  await expect(page).toHaveURL('/auth/login');
});

test('lets an invited client set a password, and another one by an emailed link, once', async ({
  page,
  openPage,
}) => {
  const email = 'ivy@example.test';
  await signIn(page, 'admin@demo.test', '/clients');
  await page.getByRole('button', { name: 'Add client' }).click();
  const adding = page.getByRole('dialog', { name: 'Add client' });
  await adding.getByRole('button', { name: 'Invite' }).click();
  const isInvalid = (label: string) =>
    adding.getByLabel(label).and(adding.locator('[aria-invalid=true]'));
  await expect(isInvalid('First name')).toBeVisible();
  await adding.getByLabel('First name').fill('Ivy');
  // An edited field is no longer the one that was refused; the others still are.
  await expect(isInvalid('First name')).toHaveCount(0);
  await expect(isInvalid('Email')).toBeVisible();
  await adding.getByLabel('Last name').fill('Invited');
  await adding.getByLabel('Email').fill(email);
  await adding.getByRole('button', { name: 'Invite' }).click();
  await expectToast(page, `${email} is invited.`);
  const guest = await openPage();
  const choosePassword = async (chosen: string) => {
    await guest.getByLabel('New password', { exact: true }).fill(chosen);
    await guest.getByRole('button', { name: 'Set password' }).click();
  };
  const expectSet = async (chosen: string) => {
    await expect(guest.getByText('Your new password is set.')).toBeVisible();
    await expect(guest.getByText('This signs out all your devices.')).toHaveCount(0);
    await guest.getByRole('link', { name: 'Sign in' }).last().click();
    await submitSignIn(guest, email, chosen);
    await expect(guest.getByText('Welcome, Ivy.')).toBeVisible();
  };
  await openEmailLink(guest, 'invites you to', email);
  const invitation = guest.getByText('Adam Kelly created an account for');
  await expect(invitation).toBeVisible();
  await choosePassword(password);
  await expect(guest.getByText('Your new password is set.')).toBeVisible();
  await expect(invitation).toHaveCount(0);
  await expectSet(password);

  await guest.evaluate(() => localStorage.clear());
  await guest.goto('/auth/login');
  await guest.getByRole('link', { name: 'Forgot your password?' }).click();
  // The page before has an email field too.
  await expect(guest.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  await guest.getByLabel('Email').fill(email);
  await guest.getByRole('button', { name: 'Send me a link' }).click();
  await expect(guest.getByText('If this address has an account')).toBeVisible();
  await openEmailLink(guest, 'Set a new password', email);
  await expect(guest.getByText('This signs out all your devices.')).toBeVisible();
  const link = guest.url();
  await choosePassword('quiet lantern 82 meadow');
  await expectSet('quiet lantern 82 meadow');
  await guest.goto(link);
  await choosePassword('plain harbour 31 autumn');
  const used = 'This link has already been used. Ask for a new one.';
  await expect(guest.getByRole('main').getByText(used)).toBeVisible();
  await expect(guest.locator('[popover] [role=alert]').getByText(used)).toBeVisible();
  // Pasted over the used link, the next one does not load the page again.
  await guest.goto(link.replace(/#.*/, '#another'));
  await expect(guest.getByLabel('New password', { exact: true })).toBeVisible();
});

test('saves the profile and a photo of it, and leaves an error where it happened', async ({
  page,
}) => {
  await signIn(page, 'client@demo.test');
  await openSettings(page);
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Phone').fill('+44 1624 000000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectToast(page, 'Profile saved.');
  await test.step('cuts a photo to its middle square, shows it and removes it', async () => {
    const choose = (file: { name: string; mimeType: string; buffer: Buffer }) =>
      page.getByLabel('Picture', { exact: true }).setInputFiles(file);
    await choose({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') });
    await expect(
      page.getByText('Please choose a PNG, JPEG or WebP picture.').first(),
    ).toBeVisible();
    const buffer = await page.getByRole('heading', { name: 'Photo' }).screenshot();
    await choose({ name: 'wide.png', mimeType: 'image/png', buffer });
    await expectToast(page, 'Photo saved.');
    await page.reload();
    await expect(page.getByLabel('Phone')).toHaveValue('+44 1624 000000');
    const photo = page.getByRole('img', { name: 'Your photo', exact: true });
    const size = () =>
      photo.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    await expect.poll(size).toEqual([256, 256]);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expectToast(page, 'Photo removed.');
    await expect(photo).toHaveCount(0);
  });
  await test.step('names what is wrong with a new password', async () => {
    const parts = page.getByRole('navigation', { name: 'Parts of your profile' });
    await parts.getByRole('link', { name: 'Change password' }).click();
    await page.getByLabel('Current password', { exact: true }).fill('not my password');
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('main').getByText('This is not your current')).toBeVisible();
    await expect(page.getByRole('main').getByText('is wrong')).toHaveCount(0);
    await parts.getByRole('link', { name: 'Your data' }).click();
    await expect(page.getByRole('button', { name: 'Export my data' })).toBeInViewport();
  });
  await test.step('shows a toast for three seconds, also under the pointer', async () => {
    await intercept(page, '**/api/exportUserData', (route) => route.abort());
    const failure = 'The server cannot be reached.';
    await page.getByRole('button', { name: 'Export my data' }).click();
    const toast = page.getByRole('alert').getByText(failure);
    await expect(toast).toBeVisible();
    const { x = 0, y = 0 } = (await toast.boundingBox()) ?? {};
    await page.mouse.move(x + 5, y + 5);
    await expect(toast).toHaveCount(0);
    await expect(page.getByRole('main').getByText(failure)).toBeVisible();
  });
});

const publicPages = [
  '/auth',
  '/auth/register',
  '/auth/reset',
  '/auth/plans',
  '/auth/about',
  '/auth/help',
  '/auth/terms',
  '/auth/privacy',
];

test('has no accessibility violation on any page, on a phone and on a desk', async ({ page }) => {
  for (const path of publicPages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessibleAtAnyWidth(page);
  }
  await startSession(page, 'client@demo.test');
  for (const path of ownPages) {
    await page.goto(path);
    await expect(
      page.getByRole('heading', { level: 2 }).or(page.getByLabel('Current password')).first(),
    ).toBeVisible();
    await expectAccessibleAtAnyWidth(page);
    // With the menu of a desk, which phones in the dark theme do not show.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
  }
});

/** A desk that is zoomed to 400% is 320 px wide. */
async function expectAccessibleAtAnyWidth(page: Page): Promise<void> {
  await expectAccessibleAt(page);
  for (const width of [1024, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await expectToFit(page);
  }
}
