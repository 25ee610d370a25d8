import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';

let stage: Stage;
let page: Page;
const pageErrors: string[] = [];

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

function listen(to: Page): Page {
  to.on('pageerror', (error) => pageErrors.push(error.message));
  to.on(
    'console',
    (message) =>
      message.text().includes('Content Security Policy') && pageErrors.push(message.text()),
  );
  return to;
}

async function signIn(email: string) {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('rowmill-demo');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Welcome').waitFor();
}

async function expectAccessible() {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

const storedView = (of: Page) =>
  of.evaluate(() => JSON.parse(localStorage.getItem('switchedAs') ?? '{}'));
const main = (of = page) => of.getByRole('main');
const header = (of = page) => of.getByRole('banner');
const viewSwitch = () => header().getByRole('group', { name: 'View' });

const widths = { 'on a desk': 1440, 'on a phone': 390 };

describe.each(Object.entries(widths))('%s', (_words, width) => {
  beforeEach(async () => {
    const context = await stage.browser.newContext({
      baseURL: stage.url,
      viewport: { width, height: 900 },
    });
    page = listen(await context.newPage());
    pageErrors.length = 0;
  });
  afterEach(async () => {
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('an admin invites a client, gives submissions, acts as a client and returns', async () => {
    await signIn('admin@demo.test');
    await page.goto('/clients');
    await main().getByRole('button', { name: 'Act as Bella Crellin' }).waitFor();
    await main().getByRole('button', { name: 'Act as Max Moore' }).waitFor();
    await expectAccessible();
    expect(await header().getByText('Available:').count()).toBe(0);

    await main().getByRole('button', { name: 'Add client' }).click();
    const adding = page.getByRole('dialog', { name: 'Add client' });
    await adding.getByLabel('First name').fill('Fenella');
    await adding.getByLabel('Last name').fill(`Fargher ${width}`);
    await adding.getByLabel('Email').fill(`fenella-${width}@example.test`);
    await adding.getByLabel('Plan').selectOption('Free');
    await adding.getByLabel('Submissions to give').fill('25');
    await expectAccessible();
    await adding.getByRole('button', { name: 'Invite' }).click();
    await main()
      .getByRole('button', { name: `Manage Fenella Fargher ${width}` })
      .click();

    const managing = page.getByRole('dialog', { name: `Fenella Fargher ${width}` });
    // 25 given and 25 of the plan.
    await managing.getByText('50 available.').waitFor();
    await expectAccessible();
    await managing.getByLabel('How many').fill('15');
    await managing.getByLabel('Reason').fill('To begin with');
    await managing.getByRole('button', { name: 'Give' }).click();
    await managing.getByText('65 available.').waitFor();
    await managing.getByLabel('How many').fill('41');
    await managing.getByRole('button', { name: 'Take back' }).click();
    await managing.getByText('You can take back at most 40 submissions.').waitFor();
    await managing.getByLabel('Monthly limit').fill('30');
    await managing.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Limits saved.').first().waitFor();
    await managing.getByRole('button', { name: 'Invite again' }).waitFor();
    await managing.getByRole('button', { name: 'Close' }).click();
    await main()
      .getByRole('row', { name: `Fargher ${width}` })
      .getByText('0 of 30')
      .waitFor();

    await main().getByRole('button', { name: 'Act as Bella Crellin' }).click();
    await page
      .getByRole('complementary', { name: 'Acting as a client' })
      .getByText('Bella Crellin')
      .waitFor();
    await header().getByText('Available: 300 submissions').waitFor();
    expect(await storedView(page)).toMatchObject({
      role: 'Client',
      email: 'bakery@demo.test',
      first_name: 'Bella',
    });
    await page.goto('/dashboard');
    await main().getByText('Bella Crellin’s dashboard').waitFor();
    expect(await main().getByText('Welcome').count()).toBe(0);
    await expectAccessible();
    await page.reload();
    await page.getByText('Acting as Bella Crellin').waitFor();
    await page.goto('/ask?sheet=none');
    await page.getByLabel('Your question').fill('What is in a bonnag?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await header().getByText('Available: 299 submissions').waitFor();
    await page.getByRole('button', { name: 'Return' }).click();
    await page.waitForURL('**/clients');
    expect(await page.getByText('Acting as').count()).toBe(0);
    expect(await header().getByText('Available:').count()).toBe(0);
    expect(await storedView(page)).toMatchObject({ role: 'Admin', email: 'admin@demo.test' });
    await main().getByRole('button', { name: 'Manage Bella Crellin' }).click();
    await page.getByRole('dialog', { name: 'Bella Crellin' }).getByText('299 available.').waitFor();
    await page.getByRole('dialog', { name: 'Bella Crellin' }).getByLabel('How many').fill('1');
    await page
      .getByRole('dialog', { name: 'Bella Crellin' })
      .getByLabel('Reason')
      .fill('For the question');
    await page
      .getByRole('dialog', { name: 'Bella Crellin' })
      .getByRole('button', { name: 'Give' })
      .click();
    await page.getByRole('dialog', { name: 'Bella Crellin' }).getByText('300 available.').waitFor();
  });

  it('switching the view in the header changes menus, credits and page', async () => {
    await signIn('admin@demo.test');
    const menu = async () => {
      if (width < 860) await header().getByRole('button', { name: 'Menu' }).click();
      const list =
        width < 860 ? page.getByRole('dialog') : page.getByRole('navigation', { name: 'Main' });
      const entries = await list.getByRole('link').allInnerTexts();
      if (width < 860)
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      return entries.map((entry) => entry.trim());
    };
    expect(await menu()).toContain('Clients');
    await viewSwitch().getByRole('button', { name: 'Client' }).click();
    const choosing = page.getByRole('dialog', { name: 'Act as' });
    await choosing.getByRole('button', { name: 'Max Moore' }).waitFor();
    await expectAccessible();
    await choosing.getByRole('button', { name: 'Max Moore' }).click();
    await header().getByText('Available: 120 submissions').waitFor();
    const acting = await menu();
    expect(acting).not.toContain('Clients');
    expect(acting).not.toContain('Change Password');
    expect(acting).toContain('Edit Profile');
    await viewSwitch().getByRole('button', { name: 'Client' }).click();
    await page
      .getByRole('dialog', { name: 'Act as' })
      .getByRole('button', { name: 'Myself' })
      .click();
    await page.getByText('Acting as').waitFor({ state: 'detached' });
    await header()
      .getByText(/Available: [45],\d\d\d submissions/)
      .waitFor();
    expect(await menu()).toContain('Change Password');
    await viewSwitch().getByRole('button', { name: 'Admin' }).click();
    await header().getByText('Available:').waitFor({ state: 'detached' });
    expect(await menu()).toContain('Clients');
  });

  it('two tabs can act as two clients, on every page', async () => {
    await signIn('admin@demo.test');
    await page.goto('/clients');
    await main().getByRole('button', { name: 'Act as Bella Crellin' }).click();
    await page.getByText('Acting as Bella Crellin').waitFor();
    const second = listen(await page.context().newPage());
    await second.goto('/clients');
    await second.getByText('Acting as Bella Crellin').waitFor();
    await main(second).getByRole('button', { name: 'Act as Max Moore' }).click();
    await header(second).getByText('Available: 120 submissions').waitFor();
    await page.reload();
    await page.getByText('Acting as Bella Crellin').waitFor();
    await header().getByText('Available: 300 submissions').waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    // Storage events arrive in the other tab a moment later.
    await expect.poll(() => storedView(second)).toMatchObject({ email: 'bakery@demo.test' });
    await header(second).getByText('Available: 120 submissions').waitFor();
    await second.getByRole('button', { name: 'Return' }).click();
    for (const path of ['/dashboard', '/history', '/profile', '/activity', '/clients']) {
      await page.goto(path);
      await page.getByText('Acting as Bella Crellin').first().waitFor();
      await second.goto(path);
      await main(second)
        .getByRole('heading', { level: 2 })
        .or(main(second).getByText('Welcome'))
        .first()
        .waitFor();
      expect(await second.getByText('Acting as').count()).toBe(0);
    }
  });

  it('a client reads who did what in their account', async () => {
    await signIn('bakery@demo.test');
    expect(await page.getByRole('group', { name: 'View' }).count()).toBe(0);
    await page.goto('/clients');
    await page.waitForURL('**/dashboard');
    await page.goto('/activity');
    await page.getByText('Adam Kelly asked a single prompt').first().waitFor();
    await page.getByText('Adam Kelly gave 1 submission: For the question').first().waitFor();
    await expectAccessible();
    await page.goto('/operator');
    await page.waitForURL('**/dashboard');
  });

  it('an operator suspends and readmits a person, reads the audit log and runs the ledger checks', async () => {
    await signIn('operator@demo.test');
    await page.goto('/operator?search=museum');
    await main().getByRole('button', { name: 'Manage Max Moore' }).click();
    const person = page.getByRole('dialog', { name: 'Max Moore' });
    await person.getByLabel('Managed by').waitFor();
    await expectAccessible();
    await person.getByRole('button', { name: 'Suspend' }).click();
    await person.getByText('Enter a reason first.').waitFor();
    await person.getByLabel('Reason').fill('Unpaid invoice');
    await person.getByRole('button', { name: 'Suspend' }).click();
    await person.getByRole('button', { name: 'Lift suspension' }).click();
    await person.getByRole('button', { name: 'Suspend' }).waitFor();
    await person.getByRole('button', { name: 'Close' }).click();
    await main().getByRole('link', { name: 'Audit log' }).click();
    await main().getByText('suspended the account: Unpaid invoice').first().waitFor();
    await expectAccessible();
    await main().getByRole('link', { name: 'Ledger' }).click();
    await main().getByText('All ledger checks pass.').waitFor();
    await expectAccessible();
  });
});
