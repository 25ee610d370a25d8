import { expect, type Locator, type Page } from '@playwright/test';
import { testOnStage } from './support/fixtures.ts';
import {
  boxOf,
  chooseView,
  colourOf,
  expectAccessible,
  expectAccessibleAt,
  openSettings,
  readLocalStorage,
} from './support/screens.ts';
import { signIn } from './support/sign-in.ts';

const test = testOnStage();

async function signInToDashboard(page: Page, email: string) {
  await signIn(page, email);
  await expect(page.getByText('Welcome')).toBeVisible();
}

/** In the dialog of a client. */
async function give(managing: Locator, count: string, reason: string) {
  await managing.getByLabel('How many').fill(count);
  await managing.getByLabel('Reason').fill(reason);
  await managing.getByRole('button', { name: 'Give' }).click();
}

async function adjust(balance: Locator, change: string, reason: string) {
  await balance.getByLabel('Adjust submissions').fill(change);
  await balance.getByLabel('Reason').fill(reason);
  await balance.getByRole('button', { name: 'Adjust balance' }).click();
}

const main = (page: Page) => page.getByRole('main');
const header = (page: Page) => page.getByRole('banner');

// The tests run in order: a client reads what the admin did in the tests before.
test('lets an admin invite a client, give submissions, act as a client and return', async ({
  page,
}) => {
  const ofOneself: string[] = [];
  page.on('request', (request) => {
    if (/\/get(AvailableCredits|UserPlan)$/.test(request.url())) ofOneself.push(page.url());
  });
  await signInToDashboard(page, 'admin@demo.test');
  await expect(header(page).locator('h1 svg')).toBeVisible();
  await expect(header(page).getByRole('img', { name: 'Cart: 0 items' })).toBeVisible();
  await page.getByRole('link', { name: 'Clients' }).first().click();
  for (const client of ['Bella Crellin', 'Max Moore'])
    await expect(main(page).getByRole('button', { name: `Act as ${client}` })).toBeVisible();
  await expectAccessibleAt(page);
  await expect(header(page).getByText('Available:')).toHaveCount(0);

  await main(page).getByRole('button', { name: 'Add client' }).click();
  const adding = page.getByRole('dialog', { name: 'Add client' });
  await adding.getByLabel('First name').fill('Fenella');
  await adding.getByLabel('Last name').fill('Fargher');
  await adding.getByLabel('Email').fill('fenella@example.test');
  await adding.getByLabel('Plan').selectOption('Free');
  await expect(adding.getByText(/You can give at most [45],\d\d\d submissions\./)).toBeVisible();
  await adding.getByLabel('Submissions to give').fill('25');
  await expectAccessibleAt(page);
  await adding.getByRole('button', { name: 'Invite' }).click();
  await main(page).getByRole('button', { name: 'Manage Fenella Fargher' }).click();

  const managing = page.getByRole('dialog', { name: 'Fenella Fargher' });
  // 25 given and 25 of the plan.
  await expect(managing.getByText('50 available.')).toBeVisible();
  await expectAccessibleAt(page);
  await give(managing, '15', 'To begin with');
  await expect(managing.getByText('65 available.')).toBeVisible();
  // The form is cleared: a second click gives nothing, and the reason is asked for again.
  await expect(managing.getByLabel('How many')).toHaveValue('');
  await managing.getByRole('button', { name: 'Give' }).click();
  await expect(managing.getByLabel('How many')).toBeFocused();
  await give(managing, '999999', 'By mistake');
  await expect(managing.getByText(/^You can give/)).toHaveCount(2);
  await give(managing, '1000', 'By mistake');
  const large = page.getByRole('dialog', { name: 'Give a large amount?' });
  await expect(large.getByText('gets 1,000 submissions')).toBeVisible();
  await expectAccessibleAt(page);
  await large.getByRole('button', { name: 'Cancel' }).click();
  await expect(managing.getByLabel('How many')).toHaveValue('1000');
  await expect(managing.getByText('65 available.')).toBeVisible();
  // Nothing is asked or sent when it is too much.
  await managing.getByLabel('How many').fill('1041');
  await managing.getByRole('button', { name: 'Take back' }).click();
  await expect(managing.getByText(/You can take back at most 40\.$/)).toHaveCount(2);
  await managing.getByLabel('Monthly limit').fill('30');
  await managing.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByText('The limits are saved.').first()).toBeVisible();
  await expect(managing.getByRole('button', { name: 'Invite again' })).toBeVisible();
  await managing.getByRole('button', { name: 'Close' }).click();
  await expect(main(page).getByRole('row', { name: 'Fargher' }).getByText('0 of 30')).toBeVisible();

  await page.goto('/ask?sheet=none');
  await page.getByLabel('Your question').fill('What is a bonnag?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Answer', exact: true })).toBeVisible();
  await expect(page.getByText('Balance after')).toHaveCount(0);
  expect(ofOneself).toEqual([]);
  await page.getByRole('link', { name: 'Clients' }).first().click();
  await main(page).getByRole('button', { name: 'Act as Bella Crellin' }).click();
  const strip = page.getByRole('complementary', { name: 'Acting as a client' });
  await expect(strip.getByText('Bella Crellin')).toBeVisible();
  await expect(header(page).getByText('Available: 300 submissions')).toBeVisible();
  expect((await strip.boundingBox())?.height).toBeLessThanOrEqual(32);
  // Amber, like everything that needs attention.
  await expect(strip).toHaveCSS('background-color', await colourOf(page, '--amber'));
  expect(await readLocalStorage(page, 'switchedAs')).toMatchObject({
    role: 'Client',
    email: 'bakery@demo.test',
    first_name: 'Bella',
  });
  await expect(main(page).getByText('Bella Crellin’s dashboard')).toBeVisible();
  await expect(main(page).getByText('Welcome')).toHaveCount(0);
  await expectAccessibleAt(page);
  await page.reload();
  await expect(page.getByText('Acting as Bella Crellin')).toBeVisible();
  await page.goto('/ask?sheet=none');
  await page.getByLabel('Your question').fill('What is in a bonnag?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(header(page).getByText('Available: 299 submissions')).toBeVisible();
  await page.getByRole('button', { name: 'Return' }).click();
  await expect(page).toHaveURL('/clients');
  await expect(page.getByText('Acting as')).toHaveCount(0);
  await expect(header(page).getByText('Available:')).toHaveCount(0);
  expect(await readLocalStorage(page, 'switchedAs')).toMatchObject({
    role: 'Admin',
    email: 'admin@demo.test',
  });
  await main(page).getByRole('button', { name: 'Manage Bella Crellin' }).click();
  const bella = page.getByRole('dialog', { name: 'Bella Crellin' });
  await expect(bella.getByText('299 available.')).toBeVisible();
  await give(bella, '1', 'For the question');
  await expect(bella.getByText('300 available.')).toBeVisible();
});

test('lets two tabs act as two clients', async ({ page }) => {
  await signIn(page, 'admin@demo.test', '/clients');
  await main(page).getByRole('button', { name: 'Act as Bella Crellin' }).click();
  await expect(page.getByText('Acting as Bella Crellin')).toBeVisible();
  const second = await page.context().newPage();
  await second.goto('/dashboard');
  await expect(second.getByText('Acting as Bella Crellin')).toBeVisible();
  await chooseView(second, 'Client');
  await second.getByRole('button', { name: 'Max Moore' }).click();
  await expect(header(second).getByText('Available: 120 submissions')).toBeVisible();
  // The first tab gets an event about the choice, so it is no change from outside.
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('switchedAs')))
    .toContain('museum@demo.test');
  await page.reload();
  await expect(page.getByText('Acting as Bella Crellin')).toBeVisible();
  await expect(header(page).getByText('Available: 300 submissions')).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  // Storage events arrive in the other tab a moment later.
  await expect
    .poll(() => readLocalStorage(second, 'switchedAs'))
    .toMatchObject({ email: 'bakery@demo.test' });
  await expect(header(second).getByText('Available: 120 submissions')).toBeVisible();
  await second.getByRole('button', { name: 'Return' }).click();
  await expect(second.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
  for (const path of ['/history', '/clients']) {
    await page.goto(path);
    await expect(page.getByText('Acting as Bella Crellin').first()).toBeVisible();
    await second.goto(path);
    await expect(
      main(second).getByRole('heading', { level: 2 }).or(main(second).getByText('Welcome')).first(),
    ).toBeVisible();
    await expect(second.getByText('Acting as')).toHaveCount(0);
  }
});

test('shows a client what an admin did in their account', async ({ page }) => {
  await signInToDashboard(page, 'bakery@demo.test');
  await expect(page.getByRole('group', { name: 'View' })).toHaveCount(0);
  await page.goto('/clients');
  await expect(page).toHaveURL('/dashboard');
  await page.goto('/activity');
  await expect(page.getByText('Adam Kelly asked a single prompt').first()).toBeVisible();
  await expect(
    page.getByText('Adam Kelly gave 1 submission: For the question').first(),
  ).toBeVisible();
  await expectAccessibleAt(page);
  await page.goto('/operator');
  await expect(page).toHaveURL('/dashboard');
});

test('lets an operator suspend a person, lift it, read the audit log and run ledger checks', async ({
  page,
}) => {
  await signIn(page, 'operator@demo.test', '/operator?search=museum');
  await main(page).getByRole('link', { name: 'Max Moore' }).click();
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Max Moore');
  // The page has its own address.
  await page.reload();
  const part = (name: string) => main(page).getByRole('region', { name });
  await expect(part('Change manager').getByLabel('Managed by')).toBeVisible();
  await expectAccessibleAt(page);
  const balance = part('Adjust balance');
  await adjust(balance, '1000', 'By mistake');
  const large = page.getByRole('dialog', { name: 'Adjust by a large amount?' });
  await expect(large.getByText('1,000 submissions')).toBeVisible();
  await large.getByRole('button', { name: 'Cancel' }).click();
  await expect(balance.getByLabel('Adjust submissions')).toHaveValue('1000');
  await expect(balance.getByText('120 available.')).toBeVisible();
  await adjust(balance, '3', 'Goodwill');
  await expect(balance.getByLabel('Adjust submissions')).toHaveValue('');
  // A second click does nothing, and the next change needs its own reason.
  await balance.getByRole('button', { name: 'Adjust balance' }).click();
  await expect(balance.getByText('Enter a reason first.')).toBeVisible();
  await adjust(balance, '-3', 'Taken back');
  await expect(balance.getByText('120 available.')).toBeVisible();
  const suspension = part('Suspend');
  await suspension.getByRole('button', { name: 'Suspend' }).click();
  await expect(suspension.getByText('Enter a reason first.')).toBeVisible();
  await suspension.getByLabel('Reason').fill('Unpaid invoice');
  await suspension.getByRole('button', { name: 'Suspend' }).click();
  const sure = page.getByRole('dialog', { name: 'Suspend Max Moore?' });
  await expectAccessibleAt(page);
  await sure.getByRole('button', { name: 'Cancel' }).click();
  await expect(suspension.getByLabel('Reason')).toHaveValue('Unpaid invoice');
  await suspension.getByRole('button', { name: 'Suspend' }).click();
  await sure.getByRole('button', { name: 'Suspend' }).click();
  const lifting = part('Lift suspension');
  await lifting.getByRole('button', { name: 'Lift suspension' }).click();
  await expect(lifting.getByText('Enter a reason first.')).toBeVisible();
  await lifting.getByLabel('Reason').fill('Paid now');
  await lifting.getByRole('button', { name: 'Lift suspension' }).click();
  await expect(suspension.getByRole('button', { name: 'Suspend' })).toBeVisible();
  await expect(
    part('Audit log').getByText('lifted the suspension: Paid now').first(),
  ).toBeVisible();
  await page.goto('/operator/people/00000000-0000-7000-8000-000000000000');
  await expect(main(page).getByText('Person not found')).toBeVisible();
  await page.goto('/operator?search=admin@demo.test');
  await main(page).getByRole('link', { name: 'Adam Kelly' }).click();
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Adam Kelly');
  const demotion = part('Change to client');
  await demotion.getByLabel('Reason').fill('Sells no more');
  await demotion.getByRole('button', { name: 'Change to client' }).click();
  const loss = page.getByRole('dialog', { name: 'Change Adam Kelly to client?' });
  await expect(loss.getByText(/^All clients of Adam Kelly lose their manager/)).toBeVisible();
  await loss.getByRole('button', { name: 'Cancel' }).click();
  await expect(demotion.getByLabel('Reason')).toHaveValue('Sells no more');
  await page.goto('/operator');
  await main(page).getByRole('link', { name: 'Audit log' }).click();
  await expect(main(page).getByText('suspended the account: Unpaid invoice').first()).toBeVisible();
  await expectAccessibleAt(page);
  await main(page).getByRole('link', { name: 'Ledger' }).click();
  await expect(main(page).getByText('All ledger checks pass.')).toBeVisible();
  await expectAccessibleAt(page);
});

for (const [device, width] of [
  ['desk', 1440],
  ['phone', 390],
] as const)
  test(`changes menus, balance and page with the view in the header on a ${device}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await signInToDashboard(page, 'admin@demo.test');
    const menu = async () => {
      if (width < 860) await header(page).getByRole('button', { name: 'Menu' }).click();
      const list =
        width < 860 ? page.getByRole('dialog') : page.getByRole('navigation', { name: 'Main' });
      await openSettings(page);
      const entries = await list.getByRole('link').allInnerTexts();
      if (width < 860)
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      return entries.map((entry) => entry.trim());
    };
    expect(await menu()).toContain('Clients');
    if (width < 860) {
      await header(page).getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Invoices' }).click();
      await expect(page).toHaveURL('/orders');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.goBack();
      await expect(page).toHaveURL('/dashboard');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await page.goto('/clients');
    await chooseView(page, 'Client');
    const choosing = page.getByRole('dialog', { name: 'Act as' });
    await expect(choosing.getByRole('button', { name: 'Max Moore' })).toBeVisible();
    await expectAccessible(page);
    const switched = page.evaluate(
      () => new Promise((resolve) => addEventListener('roleswitch', () => resolve(true))),
    );
    await choosing.getByRole('button', { name: 'Max Moore' }).click();
    await expect(header(page).getByText('Available: 120 submissions')).toBeVisible();
    await expect(page).toHaveURL('/dashboard');
    expect(await switched).toBe(true);
    const record = await readLocalStorage<object>(page, 'switchedAs');
    expect(record).toMatchObject({ role: 'Client', first_name: 'Max', last_name: 'Moore' });
    const fields = 'email first_name last_name phone profile_photo role user_id';
    expect(Object.keys(record).sort().join(' ')).toBe(fields);
    await page.goto('/clients');
    await expect(main(page).getByText('You are in the Client view.')).toBeVisible();
    const acting = await menu();
    expect(acting).not.toContain('Clients');
    expect(acting).not.toContain('Change Password');
    expect(acting).toContain('Edit Profile');
    await page.goto('/changepassword');
    await expect(page.getByText('Only Max Moore can change their password.')).toBeVisible();
    await expect(page.getByLabel('Current password')).toHaveCount(0);
    await chooseView(page, 'Client');
    await page
      .getByRole('dialog', { name: 'Act as' })
      .getByRole('button', { name: 'Myself' })
      .click();
    await expect(page.getByText('Acting as')).toHaveCount(0);
    await expect(header(page).getByText(/Available: [45],\d\d\d submissions/)).toBeVisible();
    expect(await menu()).toContain('Change Password');
    await page.goto('/clients');
    await main(page).getByRole('button', { name: 'Show your clients' }).click();
    await expect(main(page).getByRole('button', { name: 'Manage Max Moore' })).toBeVisible();
    await chooseView(page, 'Client');
    await choosing.getByRole('button', { name: 'Myself' }).click();
    await expect(page).toHaveURL('/dashboard');
    await chooseView(page, 'Admin');
    await expect(header(page).getByText('Available:')).toHaveCount(0);
    expect(await menu()).toContain('Clients');
  });

test('follows a stored choice that was changed outside the app, from the next load on', async ({
  page,
}) => {
  await signInToDashboard(page, 'admin@demo.test');
  await page.evaluate(() => {
    const record = JSON.parse(localStorage.getItem('switchedAs') ?? '{}');
    localStorage.setItem('switchedAs', JSON.stringify({ ...record, role: 'Client' }));
    window.dispatchEvent(new Event('focus'));
  });
  await page.reload();
  await expect(header(page).getByText(/Available: [45],\d\d\d submissions/)).toBeVisible();
  await expect(header(page).getByRole('button', { name: 'Client' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.evaluate(() => localStorage.removeItem('switchedAs'));
  await page.reload();
  await expect(header(page).getByRole('button', { name: 'Admin' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(header(page).getByText('Available:')).toHaveCount(0);
  expect(await readLocalStorage(page, 'switchedAs')).toMatchObject({
    role: 'Admin',
    email: 'admin@demo.test',
  });
});

test('shows the choice of a client after the window gets too narrow for the switch', async ({
  page,
}) => {
  await signInToDashboard(page, 'admin@demo.test');
  await chooseView(page, 'Client');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('dialog').getByRole('button', { name: 'Bella Crellin' }).click();
  await expect(page.getByText('Acting as')).toBeVisible();
});

test('keeps the actions on a client within reach between phone and desk', async ({
  openPage,
  page,
}) => {
  // The date of a visit makes the table wider.
  await signInToDashboard(await openPage(), 'bakery@demo.test');
  await signIn(page, 'admin@demo.test', '/clients?search=demo.test');
  const table = page.getByRole('region', { name: 'Clients', exact: true });
  for (const width of [1280, 1180, 1024, 861]) {
    await page.setViewportSize({ width, height: 900 });
    const button = table.getByRole('button', { name: 'Manage Bella Crellin' });
    await button.scrollIntoViewIfNeeded();
    await expect(button).toBeInViewport({ ratio: 1 });
    const beside = table.getByRole('button', { name: 'Act as Bella Crellin' });
    expect((await boxOf(beside)).y, `in one line at ${width}`).toBe((await boxOf(button)).y);
    expect(
      await table.evaluate((region) => region.scrollWidth - region.clientWidth),
      `pixels out of reach at ${width}`,
    ).toBeLessThanOrEqual(0);
  }
  const first = table.locator('tbody').getByRole('rowheader').first();
  const bella = table.getByRole('rowheader', { name: /Bella Crellin/ });
  await expect(bella).toBeVisible();
  await page.getByLabel('Sort by').selectOption('Lowest balance');
  await expect(first).toContainText('Max Moore');
  await page.getByLabel('Sort by').selectOption('Name');
  await expect(first).toContainText('Bella Crellin');
  await page.getByRole('radio', { name: 'Invited' }).click();
  const none = page.getByText('No clients match “demo.test” under “Invited”.');
  await expect(none).toBeVisible();
  await page.getByRole('button', { name: 'Show all clients' }).click();
  await expect(page).toHaveURL('/clients?sort=name');
  // Back to another view of the page also closes what was discarded.
  const adding = page.getByRole('dialog', { name: 'Add client' });
  await main(page).getByRole('button', { name: 'Add client' }).click();
  await adding.getByLabel('First name').fill('Ada');
  await page.goBack();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL('/clients?search=demo.test&sort=name');
  await expect(adding).toHaveCount(0);
  // A phone shows cards instead of columns, without the facts that a client lacks.
  const running = table.locator('[data-label="Running"]').first();
  await expect(running).toHaveText('–');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(bella).toBeVisible();
  await expect(page.locator('thead')).toBeHidden();
  await expect(running).toBeHidden();
  await signIn(page, 'operator@demo.test', '/operator');
  await expect(main(page).getByText('Bella Crellin')).toBeVisible();
  await expect(page.locator('thead')).toBeHidden();
});
