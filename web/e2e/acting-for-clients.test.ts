import { expect, type Locator, type Page } from '@playwright/test';
import { upload } from './support/ask-page.ts';
import { expectState, startBatch } from './support/batches.ts';
import { post } from './support/calls.ts';
import { type OpenPage, testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { chooseView, expectAccessibleAt, expectToast } from './support/screens.ts';
import { clickInEndedSession, signIn, startSession, submitSignIn } from './support/sign-in.ts';

const test = testOnStage();

/** A new browser window in which this person is signed in. */
async function signedIn(openPage: OpenPage, email: string, width = 1440): Promise<Page> {
  const page = await openPage({ viewport: { width, height: 900 } });
  await startSession(page, email);
  return page;
}

async function actAs(page: Page, client: string) {
  await page.goto('/dashboard');
  await chooseView(page, 'Client');
  await page.getByRole('dialog', { name: 'Act as' }).getByRole('button', { name: client }).click();
  await expect(page.getByText(`Acting as ${client}`)).toBeVisible();
}

async function expectAvailable(page: Page, submissions: number) {
  await expect(
    page.getByRole('banner').getByText(`Available: ${submissions} submissions`),
  ).toBeVisible();
}

/** Follows a link of the menu, or on a phone another one that leads there. */
async function follow(page: Page, path: string) {
  await page.locator(`a[href="${path}"]`).filter({ visible: true }).first().click();
}

const sheet = ['Name,Material', 'Teapot,stoneware', 'Lamp,brass', 'Blanket,wool'].join('\n');

const devices = [
  { width: 1440, client: 'Bella Crellin', email: 'bakery@demo.test', submissions: 300 },
  { width: 390, client: 'Max Moore', email: 'museum@demo.test', submissions: 120 },
];

for (const { width, client, email, submissions } of devices)
  test.describe(`at ${width} px`, () => {
    test('lets an admin run a batch as a client and shows the client who did it', async ({
      openPage,
    }) => {
      const page = await signedIn(openPage, 'admin@demo.test', width);
      await actAs(page, client);
      await expectAvailable(page, submissions);
      await follow(page, '/ask');
      await upload(page, 'goods.csv', sheet);
      await expect(page.getByText('3 rows, 2 columns')).toBeVisible();
      await page.getByLabel('Prompt for each row').fill('Praise {{Name}}.');
      await expect(page.getByText('Balance after')).toBeVisible();
      await page.getByRole('button', { name: 'Run 3 rows' }).click();
      await expect(page).toHaveURL(/\/history\/[^/]+$/);
      await expectState(page, 'completed');
      await expect(page.getByText(`Acting as ${client}`)).toBeVisible();
      await expectAvailable(page, submissions - 3);
      await page.getByRole('button', { name: 'Return' }).click();
      await expect(page).toHaveURL('/clients');
      await expect(page.getByText('Acting as')).toHaveCount(0);

      const clientPage = await signedIn(openPage, email, width);
      await clientPage.goto('/activity');
      await expectAvailable(clientPage, submissions - 3);
      await expect(clientPage.getByText('Adam Kelly uploaded the sheet “goods.csv”')).toBeVisible();
      await expect(clientPage.getByText('Adam Kelly started the batch “goods.csv”')).toBeVisible();
      await expectAccessibleAt(clientPage, [width]);
      await follow(clientPage, '/history');
      await clientPage.getByRole('link', { name: 'goods.csv' }).click();
      // The list shows the state too.
      await expect(clientPage.getByRole('heading', { level: 1, name: 'goods.csv' })).toBeVisible();
      await expectState(clientPage, 'completed');
    });
  });

test('keeps a draft for each client, also over an ended session', async ({ openPage }) => {
  const page = await signedIn(openPage, 'admin@demo.test');
  const question = page.getByLabel('Your question');
  const open = async (client: string) => {
    await actAs(page, client);
    await page.goto('/ask?sheet=none');
  };
  for (const client of ['Bella Crellin', 'Max Moore']) {
    await open(client);
    await expect(question).toHaveValue('');
    await question.fill(`What does ${client} sell?`);
  }
  await open('Bella Crellin');
  await expect(question).toHaveValue('What does Bella Crellin sell?');
  await clickInEndedSession(page.getByRole('button', { name: 'Ask', exact: true }));
  await expect(page).toHaveURL('/auth');
  await submitSignIn(page, 'admin@demo.test');
  await expect(question).toHaveValue('');
  for (const client of ['Bella Crellin', 'Max Moore']) {
    await open(client);
    await expect(question).toHaveValue(`What does ${client} sell?`);
  }
});

test('asks before what was entered for a client is discarded', async ({ openPage }) => {
  const page = await signedIn(openPage, 'admin@demo.test');
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Clients' }).first().click();
  const managing = page.getByRole('dialog', { name: 'Max Moore' });
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  const limit = managing.getByLabel('Monthly limit');
  await page.getByRole('button', { name: 'Manage Max Moore' }).click();
  await limit.fill('500');
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => managing.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
  ]) {
    await leave();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.locator('dialog')).toHaveCount(1);
    await expect(limit).toHaveValue('500');
  }
  await managing.getByRole('button', { name: 'Save limits' }).click();
  await expectToast(page, 'The limits are saved.');
  await managing.getByLabel('Reason').fill('For the summer');
  await managing.getByRole('button', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(managing).toHaveCount(0);
  await page.getByRole('button', { name: 'Manage Max Moore' }).click();
  await expect(limit).toHaveValue('500');
  await limit.fill('');
  await managing.getByRole('button', { name: 'Save limits' }).click();
  await expect(managing.locator('form[data-changed]')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(managing).toHaveCount(0);
});

test('asks before it resets the password of a client, also at a double click', async ({
  openPage,
}) => {
  const page = await signedIn(openPage, 'admin@demo.test');
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Manage Max Moore' }).click();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.getByRole('button', { name: 'Reset password' }).dblclick();
  const question = page.getByRole('dialog', { name: 'Reset the password of Max?' });
  await expect(question).toBeVisible();
  expect(sent.filter((url) => url.includes('passwordReset'))).toEqual([]);
  await question.getByRole('button', { name: 'Send the link' }).click();
  await expectToast(page, /museum@demo\.test/);
  await expect(page.getByRole('button', { name: 'Reset password' })).toBeFocused();
});

test('keeps a limit of a client that another tab has set', async ({ openPage }) => {
  const page = await signedIn(openPage, 'admin@demo.test');
  const late = await page.context().newPage();
  const manage = async (tab: Page) => {
    await tab.goto('/clients');
    await tab.getByRole('button', { name: 'Manage Bella Crellin' }).click();
    return tab.getByRole('dialog', { name: 'Bella Crellin' });
  };
  const save = async (managing: Locator, field: string, limit: string) => {
    await managing.getByLabel(field).fill(limit);
    await managing.getByRole('button', { name: 'Save limits' }).click();
    await expect(managing.locator('form[data-changed]')).toHaveCount(0);
  };
  const lateDialog = await manage(late);
  const dialog = await manage(page);
  await save(dialog, 'Monthly limit', '900');
  await save(lateDialog, 'Low-balance alert', '7');
  const again = await manage(page);
  await expect(again.getByLabel('Low-balance alert')).toHaveValue('7');
  await expect(again.getByLabel('Monthly limit')).toHaveValue('900');
  await save(again, 'Monthly limit', '800');
  await save(again, 'Monthly limit', '');
  await expect((await manage(page)).getByLabel('Monthly limit')).toHaveValue('');
});

test('keeps a plan chosen for one client out of a tab that acts as another', async ({
  openPage,
}) => {
  const bella = await signedIn(openPage, 'admin@demo.test');
  await actAs(bella, 'Bella Crellin');
  const max = await bella.context().newPage();
  await actAs(max, 'Max Moore');
  await max.goto('/auth/plans');
  await expect(
    max.getByText('You are acting for Max Moore: you are choosing this client’s plan.'),
  ).toBeVisible();
  // The client has a plan, although the admin needs none.
  await expect(max.getByText(/^Pay for a period, with no automatic renewal/)).toBeVisible();

  await bella.goto('/auth/plans');
  await bella.getByRole('button', { name: 'Choose Year' }).click();
  await expect(bella).toHaveURL('/auth/billing');
  await expect(bella.getByRole('heading', { name: 'Year' })).toBeVisible();
  await expect(
    bella.getByText('You are acting for Bella Crellin: you are paying for this client’s plan.'),
  ).toBeVisible();

  await expect(max.getByText('Your choice')).toHaveCount(0);
  await max.goto('/auth/billing');
  await expect(max.getByText('You have not chosen a plan yet.')).toBeVisible();
  await expect(max.getByRole('heading', { name: 'Year' })).toHaveCount(0);
  await max.goto('/dashboard');
  await expect(max.getByText('Max Moore’s dashboard')).toBeVisible();

  await bella.goto('/auth/plans');
  await expect(bella.getByText('Your choice')).toBeVisible();
  await bella.goto('/auth/billing');
  await expect(bella.getByRole('heading', { name: 'Year' })).toBeVisible();
  await expect(bella.getByText('You are acting for Bella Crellin').first()).toBeVisible();
});

test('shows no controls of a batch whose person the tab does not act for, and offers to act for them', async ({
  openPage,
}) => {
  const batch = { name: 'own.csv', text: 'Name\nLamp\n', question: 'Praise {{Name}}.' };
  const id = await startBatch(await signedIn(openPage, 'bakery@demo.test'), batch);
  const page = await signedIn(openPage, 'admin@demo.test');
  const ownId = await startBatch(page, batch);
  await actAs(page, 'Bella Crellin');
  await page.goto(`/history/${id}`);
  await expectState(page, 'completed');
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Return' }).click();
  await page.getByRole('button', { name: 'Act as Max Moore' }).click();
  await expect(page.getByText('Acting as Max Moore')).toBeVisible();
  await page.goto(`/history/${id}`);
  await expect(page.getByText('This batch belongs to Bella Crellin.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download' })).toHaveCount(0);
  await expectAccessibleAt(page, [1440]);
  await page.getByRole('main').getByRole('button', { name: 'Act as Bella Crellin' }).click();
  await expect(page.getByText('Acting as Bella Crellin')).toBeVisible();
  await expectState(page, 'completed');
  await page.goto(`/history/${ownId}`);
  await page.getByRole('main').getByRole('button', { name: 'Return to your account' }).click();
  await expectState(page, 'completed');
  await expect(page.getByText('Acting as')).toHaveCount(0);
});

test('opens the page of the admin’s own news while they act for a client', async ({ openPage }) => {
  const page = await signedIn(openPage, 'admin@demo.test');
  const batch = { name: 'mine.csv', text: 'Name\nLamp\n', question: 'Praise {{Name}}.' };
  const id = await startBatch(page, batch);
  await actAs(page, 'Max Moore');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const news = page.getByRole('link', { name: /^mine\.csv is done/ });
  // In another tab.
  await news.click({ modifiers: ['ControlOrMeta'] });
  await expect(news).toBeVisible();
  await expect(page.getByText('Acting as Max Moore')).toBeVisible();
  await news.click();
  await expect(page).toHaveURL(`/history/${id}`);
  await expectState(page, 'completed');
  await expect(page.getByText('Acting as')).toHaveCount(0);
});

test('gives an open page the role that an operator changes, and keeps what is being written', async ({
  openPage,
  page,
}) => {
  await signIn(page, 'museum@demo.test', '/ask?sheet=none');
  const question = page.getByLabel('Your question');
  await question.fill('What is a bonnag?');
  const operator = await openPage();
  await signIn(operator, 'operator@demo.test', '/operator?search=museum');
  await operator.getByRole('main').getByRole('link', { name: 'Max Moore' }).click();
  const change = async (role: string) => {
    const part = operator.getByRole('main').getByRole('region', { name: `Change to ${role}` });
    await part.getByLabel('Reason').fill('Asked for it');
    await part.getByRole('button', { name: `Change to ${role}` }).click();
    // Either way someone loses a client, with limits that changing back does not restore.
    await operator.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
    await expect(part).toHaveCount(0);
  };
  const clients = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Clients' });
  const admin = await openPage();
  await signIn(admin, 'admin@demo.test', '/clients');
  await admin.getByRole('button', { name: 'Manage Max Moore' }).click();
  const managing = admin.getByRole('dialog', { name: 'Max Moore' });
  await managing.getByLabel('Reason').fill('For the summer');
  await question.focus();
  await change('admin');
  await expect(clients).toBeVisible();
  await expect(question).toBeFocused();
  await expect(question).toHaveValue('What is a bonnag?');
  const second = await page.context().newPage();
  await second.goto('/clients');
  await expect(second.getByRole('main').getByRole('button', { name: 'Add client' })).toBeVisible();
  // The dialog stays with its error, although the list no longer has the client.
  await managing.getByRole('button', { name: 'Save limits' }).click();
  await expect(admin.getByRole('button', { name: 'Manage Max Moore' })).toHaveCount(0);
  await expect(managing.getByLabel('Reason')).toHaveValue('For the summer');
  await change('client');
  await expect(clients).toHaveCount(0);
  await expect(second).toHaveURL('/dashboard');
  await expect(page.getByRole('banner').getByText(/Available: \d+ submissions/)).toBeVisible();
  await expect(question).toHaveValue('What is a bonnag?');
});

test('lets an admin withdraw an invitation and have the submissions back', async ({ page }) => {
  await signIn(page, 'admin@demo.test', '/clients');
  const names = { first_name: 'Wanda', last_name: 'Wrong' };
  const given = { credits: 1_234, email: 'wanda@example.test' };
  const canGive = async () => (await post(page, 'userList', { start: 0, limit: 1 })).can_give;
  const before = await canGive();
  await post(page, 'addClient', { ...names, ...given });
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Manage Wanda Wrong' }).click();
  const managing = page.getByRole('dialog', { name: 'Wanda Wrong' });
  const question = page.getByRole('dialog', { name: 'Withdraw the invitation of Wanda?' });
  await managing.getByRole('button', { name: 'Withdraw the invitation' }).click();
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessibleAt(page);
  await page.keyboard.press('Enter');
  await expect(managing.getByText('1,234 available.')).toBeVisible();
  await managing.getByRole('button', { name: 'Withdraw the invitation' }).click();
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await expectToast(page, 'The invitation of wanda@example.test is withdrawn.');
  await expect(managing).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Manage Wanda Wrong' })).toHaveCount(0);
  expect(await canGive()).toBe(before);
});

test('keeps showing the clients, which may be out of date, when the server is gone', async ({
  openPage,
}) => {
  const page = await signedIn(openPage, 'admin@demo.test');
  await page.goto('/clients');
  const client = page.getByRole('rowheader', { name: /Bella Crellin/ });
  await page.getByRole('button', { name: 'Manage Bella Crellin' }).click();
  await intercept(page, '**/api/**', (route) => route.abort());
  const managing = page.getByRole('dialog', { name: 'Bella Crellin' });
  await managing.getByRole('button', { name: 'Save limits' }).click();
  await expect(managing.getByText('The server cannot be reached.').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('This may be out of date.')).toBeVisible();
  await expect(client).toBeVisible();
  await page.unroute('**/api/**');
  await page.getByLabel('Sort by').selectOption('Name');
  await expect(page.getByText('This may be out of date.')).toHaveCount(0);
  await expect(client).toBeVisible();
});

test('says that the browser cannot store a choice, instead of nothing', async ({ page }) => {
  await signIn(page, 'admin@demo.test', '/clients');
  await page.evaluate(() => {
    for (let size = 2 ** 22; size >= 1; size /= 2)
      try {
        for (;;) localStorage.setItem(`other ${localStorage.length}`, 'x'.repeat(size));
      } catch {}
  });
  await page
    .getByRole('button', { name: /^Act as / })
    .first()
    .click();
  await expectToast(page, 'This site cannot store data. Check your browser and try again.');
  await expect(page).toHaveURL('/clients');
  await page.getByRole('link', { name: 'Buy Credits' }).first().click();
  await page
    .getByRole('button', { name: /^Add to cart: / })
    .first()
    .click();
  await expectToast(page, 'This site cannot store data. Check your browser and try again.');
  await expect(page.getByRole('img', { name: 'Cart: 0 items' })).toBeVisible();
});
