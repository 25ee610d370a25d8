import type { Page } from 'playwright-core';
import { addPack, fillAddress, orderPack, payWith } from './e2e/support/shopping.ts';
import type { Screen } from './screenshots-scene.ts';

/** Screens of the shop, of admins and operators, and of what goes wrong. */
const client = 'client@demo.test';
const admin = 'admin@demo.test';
const operator = 'operator@demo.test';

export function shopPages(): Screen[] {
  return [
    { name: 'checkout empty', who: client, open: shown('/checkout', 'Your cart is empty') },
    { name: 'credits', who: client, open: shown('/credits', '500 submissions') },
    {
      name: 'credits in cart',
      who: client,
      open: async (page) => addPack(page, '500 submissions'),
    },
    { name: 'checkout', who: client, open: fillCart },
    { name: 'checkout problems', who: client, open: sendEmptyAddress },
    {
      name: 'checkout card',
      who: client,
      open: async (page) => orderPack(page, '500 submissions'),
    },
    { name: 'checkout declined', who: client, open: declined },
    { name: 'checkout paid', who: client, open: paid },
    { name: 'orders', who: client, open: shown('/orders', 'Paid') },
    {
      name: 'orders nothing',
      who: client,
      open: shown('/orders?search=zebra', 'No order matches'),
    },
    { name: 'order', who: client, isLayer: true, open: openOrder },
    { name: 'order printed', who: client, isLayer: true, open: printed(openOrder) },
    { name: 'payments', who: client, open: shown('/payments', 'Paid') },
  ];
}

export function adminPages(): Screen[] {
  return [
    { name: 'clients', who: admin, open: shown('/clients', 'bakery@demo.test') },
    { name: 'client', who: admin, isLayer: true, open: manageClient },
    { name: 'client add', who: admin, isLayer: true, open: addClient },
    { name: 'acting', who: admin, open: act },
    { name: 'acting choice', who: admin, isLayer: true, open: chooseClient },
    { name: 'activity', who: admin, open: settledAt('/activity') },
    { name: 'operator', who: operator, open: shown('/operator', 'People') },
    { name: 'operator person', who: operator, isLayer: true, open: openPerson },
    { name: 'checkout review', who: client, open: payWrongAmount },
    {
      name: 'operator reviews',
      who: operator,
      open: shown('/operator?view=reviews', 'Payments in review'),
    },
    { name: 'review decision', who: operator, isLayer: true, open: openReview },
    { name: 'catalogue', who: operator, open: shown('/operator/catalogue', 'Currency and tax') },
    { name: 'catalogue plan', who: operator, isLayer: true, open: editPlan },
  ];
}

export function troubles(): Screen[] {
  return [
    { name: 'palette', who: client, isLayer: true, open: openPalette },
    { name: 'shortcuts', who: client, isLayer: true, open: openShortcuts },
    { name: 'toasts', who: client, isLayer: true, open: showToasts },
    { name: 'offline', who: client, open: goOffline },
    { name: 'update', who: client, isLayer: true, open: offerUpdate },
    { name: 'dashboard broken', who: client, open: broken('/dashboard') },
    { name: 'history broken', who: client, open: broken('/history') },
    { name: 'part missing', who: client, open: loseAPart },
    { name: 'cannot start', open: loseSettings },
  ];
}

function shown(path: string, words: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.goto(path);
    await page.getByRole('main').getByText(words).first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };
}

function settledAt(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.goto(path);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };
}

async function fillCart(page: Page) {
  await addPack(page, '2,000 submissions');
  await page.goto('/checkout');
  await page.getByLabel('Town').waitFor();
  await fillAddress(page);
}

async function sendEmptyAddress(page: Page) {
  await addPack(page, '500 submissions');
  await page.goto('/checkout');
  await page.getByLabel('Town').waitFor();
  for (const label of ['Name', 'Address', 'Town'])
    await page.getByLabel(label, { exact: true }).fill('');
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await page.locator('.field__problem').first().waitFor();
}

async function declined(page: Page) {
  await orderPack(page, '500 submissions');
  await payWith(page, 'is declined');
  await page.getByRole('alert').getByText('declined').waitFor();
}

async function paid(page: Page) {
  await orderPack(page, '500 submissions');
  await payWith(page, 'is paid');
  await page.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor();
}

async function openOrder(page: Page) {
  await page.goto('/orders');
  await page.getByRole('main').getByText('Paid').first().waitFor();
  await page.getByRole('table').getByRole('button').first().click();
  await page.getByRole('dialog').getByText('Billed to').waitFor();
}

/** As it comes out of a printer. */
function printed(open: (page: Page) => Promise<void>): (page: Page) => Promise<void> {
  return async (page) => {
    await page.emulateMedia({ media: 'screen' });
    await open(page);
    await page.emulateMedia({ media: 'print' });
  };
}

async function manageClient(page: Page) {
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Manage Bella Crellin' }).click();
  await page.getByRole('dialog').getByText('available.').waitFor();
}

async function addClient(page: Page) {
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Add client' }).click();
  await page.getByRole('dialog').waitFor();
}

async function act(page: Page) {
  await page.goto('/clients');
  await page.getByRole('main').getByRole('button', { name: 'Act as Bella Crellin' }).click();
  await page.goto('/dashboard');
  await page.getByText('Acting as').waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

async function chooseClient(page: Page) {
  await page.goto('/dashboard');
  await page
    .getByRole('banner')
    .getByRole('group', { name: 'View' })
    .getByRole('button', { name: 'Client' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Max Moore' }).waitFor();
}

async function openPerson(page: Page) {
  await page.goto('/operator');
  await page
    .getByRole('main')
    .getByRole('button', { name: /Clara|client@demo/ })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
}

/** What the operator then decides about. */
async function payWrongAmount(page: Page) {
  await orderPack(page, '500 submissions');
  await payWith(page, 'is paid with the wrong amount');
  await page.getByText('In review').first().waitFor();
}

async function openReview(page: Page) {
  await page.goto('/operator?view=reviews');
  await page
    .getByRole('button', { name: /^Decide about/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText('Mismatch').waitFor();
}

async function editPlan(page: Page) {
  await page.goto('/operator/catalogue');
  await page.getByRole('button', { name: 'Edit Month' }).click();
  await page.getByRole('dialog').waitFor();
}

async function openPalette(page: Page) {
  await page.goto('/dashboard');
  await page.getByText('Welcome').waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('p');
}

async function openShortcuts(page: Page) {
  await page.goto('/dashboard');
  await page.getByText('Welcome').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
}

async function showToasts(page: Page) {
  await page.goto('/dashboard');
  await page.getByText('Welcome').waitFor();
  await page.route('**/getAvailableCredits', (route) => route.abort());
  await page.getByRole('button', { name: 'Refresh credits' }).click();
  await page.locator('.toaster__toast').first().waitFor();
  await page.locator('.toaster__toast').first().hover();
  await page.unroute('**/getAvailableCredits');
}

async function goOffline(page: Page) {
  await page.goto('/dashboard');
  await page.getByText('Welcome').waitFor();
  await page.context().setOffline(true);
  await page.getByText('You’re offline.').waitFor();
}

/** To the browser, a worker of another address is a new version. */
async function offerUpdate(page: Page) {
  await page.goto('/dashboard');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(() => navigator.serviceWorker.register(`/sw.js?${performance.now()}`));
  await page.getByRole('dialog').getByText('App Updated reload to apply').waitFor();
}

function broken(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route('**/getProcessedFiles', (route) => route.abort());
    await page.goto(path);
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  };
}

async function loseAPart(page: Page) {
  await page.route('**/assets/profile-page-*.js', (route) => route.abort());
  await page.goto('/profile');
  await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
}

async function loseSettings(page: Page) {
  await page.route('**/config.prod.json', (route) => route.abort());
  await page.goto('/auth');
  await page.getByRole('heading', { name: 'Rowmill cannot start' }).waitFor();
}
