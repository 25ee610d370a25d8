import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';
import { pressInEndedSession } from './ended-session.ts';

let stage: Stage;
let page: Page;
const trouble: string[] = [];

beforeAll(async () => {
  stage = await setStage();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});
beforeEach(async () => {
  const context = await stage.browser.newContext({ baseURL: stage.url });
  page = await context.newPage();
  trouble.length = 0;
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on(
    'console',
    (message) => message.text().includes('Content Security Policy') && trouble.push(message.text()),
  );
});
afterEach(async () => {
  expect(trouble).toEqual([]);
  await page.context().close();
});

const password = 'plain straw 47 winter';

async function signIn(email: string, secret = 'rowmill-demo') {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function openMail(subject: string) {
  for (;;) {
    await page.goto('/dev/mail');
    const mail = page.locator('article', { hasText: subject }).first();
    if (await mail.count()) return mail.getByRole('link').first().click();
  }
}

async function expectNoAxeViolation() {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

it('takes a newcomer from registration to the dashboard', async () => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('Newcomer');
  await page.getByLabel('Email').fill('nora@example.test');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  await openMail('Please verify');
  await page.getByText('your email address is verified').waitFor();
  await signIn('nora@example.test', password);
  await page.getByRole('alert').getByText('Choose a plan to continue.').waitFor();
  await page.getByRole('button', { name: 'Choose Free' }).click();
  await page.getByText('Welcome, Nora.').waitFor();
  await page.getByText('Available: 25 submissions').waitFor();
});

it('says why a plan could not be looked up, and leads to the plans', async () => {
  await signIn('bakery@demo.test');
  await page.getByText('Welcome, Bella.').waitFor();
  await page.evaluate(() => localStorage.removeItem('userPlan'));
  await page.route('**/api/getUserPlan', (route) => route.abort());
  // The message goes away by itself, so it is looked for from the first moment.
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  await page.waitForURL('**/auth/plans');
  await page.unroute('**/api/getUserPlan');
  await page.goto('/');
  await page.getByText('Welcome, Bella.').waitFor();
});

it('says beside the form that a password is wrong, and stays there', async () => {
  await signIn('client@demo.test', 'not the password');
  await page.getByText('The email address or password is wrong.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/auth/login');
});

it('asks before logging out, and then forgets everything', async () => {
  await signIn('client@demo.test');
  await page.getByText('Available: 1,000 submissions').waitFor();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page
    .getByRole('dialog', { name: 'Log Out' })
    .getByText('Are you sure you want to logout ?')
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/auth');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

it('keeps what is for admins from clients, and shows an admin his clients', async () => {
  await signIn('client@demo.test');
  await page.getByText('Welcome, Clara.').waitFor();
  expect(await page.getByRole('link', { name: 'Clients' }).count()).toBe(0);
  await page.goto('/clients');
  await page.waitForURL('**/dashboard');
  await page.evaluate(() => localStorage.clear());
  await signIn('admin@demo.test');
  await page.getByRole('link', { name: 'Clients', exact: true }).click();
  await page.getByRole('cell', { name: 'bakery@demo.test' }).waitFor();
  expect(
    await page.evaluate(() => JSON.parse(localStorage.getItem('switchedAs') ?? '{}').role),
  ).toBe('Admin');
});

it('leaves for the sign-in page when the session was ended elsewhere', async () => {
  await signIn('operator@demo.test');
  await page.getByText('Welcome, Olive.').waitFor();
  await pressInEndedSession(page.getByRole('link', { name: 'Edit Profile' }));
  await page.waitForURL('**/auth');
  expect(await page.evaluate(() => localStorage.getItem('currentUser'))).toBeNull();
});

it('saves the profile', async () => {
  await signIn('client@demo.test');
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Phone').fill('+44 1624 000000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Profile saved.').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Phone').inputValue()).toBe('+44 1624 000000');
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
const ownPages = ['/dashboard', '/profile', '/changepassword', '/ask', '/orders'];

it('can be used by everybody: no violation on any page, at phone width too', async () => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => localStorage.clear()).catch(() => {});
    for (const path of publicPages) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectNoAxeViolation();
    }
    await signIn('client@demo.test');
    await page.getByText('Welcome, Clara.').waitFor();
    for (const path of ownPages) {
      await page.goto(path);
      await page
        .getByRole('heading', { level: 2 })
        .or(page.getByLabel('Current password'))
        .first()
        .waitFor();
      await expectNoAxeViolation();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
        true,
      );
    }
  }
});
