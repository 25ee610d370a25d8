import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startBatch, waitForState } from './batch-steps.ts';
import { type Stage, setStage } from './browser.ts';
import { watchPolicy } from './policy-watch.ts';
import {
  addPack,
  comeToBilling,
  continueBy,
  fillAddress,
  orderPack,
  payWith,
  signIn,
} from './shop-steps.ts';

/** Violations of the page's policy, and each time a hostile text ran. */
let violations: readonly string[] = [];
const ran: string[] = [];
let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await setStage({ port: 4493 });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  const context = await stage.browser.newContext({ baseURL: stage.url });
  ran.length = 0;
  violations = await watchPolicy(context);
  await context.exposeFunction('tellRun', (words: string) => ran.push(words));
  page = await context.newPage();
});
afterEach(async () => {
  await page.context().close();
  expect(violations).toEqual([]);
  expect(ran).toEqual([]);
});

const hostile = (where: string) => `<img src=x onerror="tellRun('${where}')">`;
const button = (name: string | RegExp) => page.getByRole('button', { name });
const button1 = () => page.getByRole('button', { name: 'Open row 1', exact: true });

/** An image means that a text was inserted as HTML, even if the policy kept it from running. */
async function expectNoImage(): Promise<void> {
  expect(await page.locator('img[onerror]').count()).toBe(0);
}

async function look(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('main').waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await expectNoImage();
}

const publicPaths = [
  '/',
  '/auth',
  '/auth/login',
  '/auth/register',
  '/auth/reset',
  '/auth/verify#none',
  '/auth/plans',
];
const textPaths = [
  '/auth/about',
  '/auth/help',
  '/auth/terms',
  '/auth/privacy',
  '/auth/invitation#none',
  '/auth/nowhere',
];
const ownPaths = [
  '/dashboard',
  '/credits',
  '/checkout',
  '/ask',
  '/ask?sheet=none',
  '/history',
  '/orders',
  '/payments',
];
const accountPaths = ['/profile', '/changepassword', '/activity', '/clients', '/operator'];

it('opens every screen without a policy violation', async () => {
  for (const path of [...publicPaths, ...textPaths]) await look(path);
  await signIn(page, 'operator@demo.test');
  for (const path of [...ownPaths, ...accountPaths]) await look(path);
});

it('pays by card and by wallet without a policy violation', async () => {
  await comeToBilling(page, 'vera@example.test');
  await fillAddress(page);
  await continueBy(page, 'Test wallet');
  await page.getByRole('heading', { name: 'Test wallet' }).waitFor();
  await button('Continue').click();
  await page.waitForURL('**/dashboard');
  await orderPack(page, '500 submissions');
  await payWith(page, 'asks for approval (3-D Secure)');
  await page.getByRole('heading', { name: 'Approve this payment' }).waitFor();
  await button('Approve').click();
  await page.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor();
  await look('/orders');
  await look('/payments');
});

it('shows HTML in a name as text', async () => {
  await signIn(page, 'museum@demo.test');
  await look('/profile');
  await page.getByLabel('First name').fill(hostile('name'));
  await page.getByLabel('Phone').fill('+44 1624 000000');
  await button('Save').first().click();
  await page.getByText('Profile saved.').waitFor();
  await page.goto('/dashboard');
  await page.getByText(`Welcome, ${hostile('name')}.`).waitFor();
  await expectNoImage();
  await page.evaluate(() => localStorage.clear());
  await signIn(page, 'admin@demo.test');
  await page.goto('/clients');
  await page.getByText(hostile('name')).first().waitFor();
  await expectNoImage();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Act as .*onerror/ })
    .click();
  await page
    .getByRole('complementary', { name: 'Acting as a client' })
    .getByText(hostile('name'))
    .waitFor();
  for (const path of ['/dashboard', '/activity', '/profile']) await look(path);
});

it('shows HTML in a file name, header, cell and answer as text', async () => {
  await signIn(page, 'client@demo.test');
  await page.goto('/ask');
  const name = `${hostile('file')}.csv`;
  const sheet = `${hostile('header').replaceAll('"', '')},b\n${hostile('cell').replaceAll('"', '')},2\n`;
  const upload = (text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await upload('');
  await page.getByRole('alert').getByText('is empty').waitFor();
  await expectNoImage();
  await upload(sheet);
  await page.getByText('1 row, 2 columns').waitFor();
  await page.getByText(hostile('header').replaceAll('"', '')).first().waitFor();
  await expectNoImage();

  const id = await startBatch(page, {
    name,
    text: `a,b\n"${hostile('cell').replaceAll('"', '""')}",2\n`,
    question: 'Praise {{a}}',
  });
  await page.goto(`/history/${id}`);
  await waitForState(page, 'completed');
  await button1().click();
  await page.getByRole('dialog', { name: 'Row 1' }).getByText(hostile('cell')).first().waitFor();
  await expectNoImage();
  for (const path of ['/history', '/dashboard', '/activity']) await look(path);
});

it('shows HTML in a server message as text', async () => {
  await page.route('**/api/login', (route) =>
    route.fulfill({
      status: 403,
      json: { status: false, code: 'not_allowed', message: hostile('toast'), request_id: 'one' },
    }),
  );
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill('client@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('rowmill-demo');
  await button('Sign in').click();
  await page.getByRole('alert').getByText(hostile('toast')).waitFor();
  await expectNoImage();
  await page.unroute('**/api/login');
  await signIn(page, 'client@demo.test');
  await addPack(page, '500 submissions');
  await page.route('**/api/emedia/getAvailableCredits', (route) =>
    route.fulfill({
      status: 400,
      json: { status: false, code: 'bad_request', message: hostile('toast'), request_id: 'two' },
    }),
  );
  await button('Refresh credits').click();
  await page.locator('.toaster__toast').getByText(hostile('toast')).waitFor();
  await button('Notifications').click();
  await page.getByRole('dialog').getByText(hostile('toast')).first().waitFor();
  await expectNoImage();
});
