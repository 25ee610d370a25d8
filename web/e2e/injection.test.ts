import { expect, type Page } from '@playwright/test';
import { upload } from './support/ask-page.ts';
import { openCompleted } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { watchPolicy } from './support/policy.ts';
import { expectToast } from './support/screens.ts';
import {
  addPack,
  continueToPayment,
  fillAddress,
  orderPack,
  payWith,
  registerWithPlan,
} from './support/shopping.ts';
import { signIn, signInByForm, submitSignIn } from './support/sign-in.ts';

/** Fails every test in which a page violates its policy or a hostile text runs. */
const test = testOnStage().extend({
  context: async ({ context }, use) => {
    const violations = await watchPolicy(context);
    const executed: string[] = [];
    await context.exposeFunction('reportExecution', (text: string) => executed.push(text));
    await use(context);
    expect(violations).toEqual([]);
    expect(executed).toEqual([]);
  },
});

test.use({ serviceWorkers: 'allow' });

const hostile = (where: string) => `<img src=x onerror="reportExecution('${where}')">`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** An image means that a text was inserted as HTML, even if the policy kept it from running. */
async function expectNoImage(page: Page): Promise<void> {
  expect(await page.locator('img[onerror]').count()).toBe(0);
}

async function openAndCheck(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await expectNoImage(page);
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

test('opens every screen without a policy violation', async ({ page }) => {
  for (const path of [...publicPaths, ...textPaths]) await openAndCheck(page, path);
  await signInByForm(page, 'operator@demo.test');
  for (const path of [...ownPaths, ...accountPaths]) await openAndCheck(page, path);
});

test('pays by card and by wallet without a policy violation', async ({ page }) => {
  await registerWithPlan(page, 'vera@example.test');
  await fillAddress(page);
  await continueToPayment(page, 'Test wallet');
  await expect(page.getByRole('heading', { name: 'Test wallet' })).toBeVisible();
  await button(page, 'Continue').click();
  await expect(page).toHaveURL('/dashboard');
  await orderPack(page, '500 submissions');
  await payWith(page, 'asks for approval (3-D Secure)');
  await expect(page.getByRole('heading', { name: 'Approve this payment' })).toBeVisible();
  await button(page, 'Approve').click();
  await expect(page.getByRole('heading', { name: 'Thank you, your order is paid' })).toBeVisible();
  await openAndCheck(page, '/orders');
  await openAndCheck(page, '/payments');
});

test('shows HTML in a name as text', async ({ page }) => {
  await signIn(page, 'museum@demo.test');
  await openAndCheck(page, '/profile');
  await page.getByLabel('First name').fill(hostile('name'));
  await page.getByLabel('Phone').fill('+44 1624 000000');
  await button(page, 'Save').first().click();
  await expectToast(page, 'Profile saved.');
  await page.goto('/dashboard');
  await expect(page.getByText(`Welcome, ${hostile('name')}.`)).toBeVisible();
  await expectNoImage(page);
  await signIn(page, 'admin@demo.test', '/clients');
  await expect(page.getByText(hostile('name')).first()).toBeVisible();
  await expectNoImage(page);
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Act as .*onerror/ })
    .click();
  await expect(
    page.getByRole('complementary', { name: 'Acting as a client' }).getByText(hostile('name')),
  ).toBeVisible();
  for (const path of ['/dashboard', '/activity', '/profile']) await openAndCheck(page, path);
});

test('shows HTML in a file name, header, cell and answer as text', async ({ page }) => {
  await signIn(page, 'client@demo.test', '/ask');
  const name = `${hostile('file')}.csv`;
  const sheet = `${hostile('header').replaceAll('"', '')},b\n${hostile('cell').replaceAll('"', '')},2\n`;
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  await upload(page, name, '');
  await expect(page.getByRole('alert').getByText('is empty')).toBeVisible();
  await expectNoImage(page);
  await upload(page, name, sheet);
  await expect(page.getByText('1 row, 2 columns')).toBeVisible();
  await expect(page.getByText(hostile('header').replaceAll('"', '')).first()).toBeVisible();
  await expectNoImage(page);

  await openCompleted(page, {
    name,
    text: `a,b\n"${hostile('cell').replaceAll('"', '""')}",2\n`,
    question: 'Praise {{a}}',
  });
  await button(page, /^Open row 1$/).click();
  await expect(
    page
      .getByRole('complementary', { name: 'Row 1' })
      .getByText(hostile('cell'))
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await expectNoImage(page);
  for (const path of ['/history', '/dashboard', '/activity']) await openAndCheck(page, path);
});

test('shows HTML in a server message as text', async ({ page }) => {
  await intercept(page, '**/api/login', (route) =>
    route.fulfill({
      status: 403,
      json: { status: false, code: 'not_allowed', message: hostile('toast'), request_id: 'one' },
    }),
  );
  await page.goto('/auth/login');
  await submitSignIn(page, 'client@demo.test');
  await expect(page.getByRole('alert').getByText(hostile('toast')).first()).toBeVisible();
  await expectNoImage(page);
  await page.unroute('**/api/login');
  await signInByForm(page, 'client@demo.test');
  await addPack(page, '500 submissions');
  await intercept(page, '**/api/emedia/getAvailableCredits', (route) =>
    route.fulfill({
      status: 400,
      json: { status: false, code: 'bad_request', message: hostile('toast'), request_id: 'two' },
    }),
  );
  await button(page, 'Refresh credits').click();
  await expect(page.getByRole('alert').getByText(hostile('toast')).first()).toBeVisible();
  await expectNoImage(page);
});
