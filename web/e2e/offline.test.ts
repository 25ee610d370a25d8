import { expect, type Page } from '@playwright/test';
import { prompt, upload } from './support/ask-page.ts';
import { openCompleted, startBatch } from './support/batches.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { loadThroughWorker } from './support/load-through-worker.ts';
import { expectAccessible, openSettings } from './support/screens.ts';
import { clickInEndedSession, signIn, signInByForm, startSession } from './support/sign-in.ts';

const test = testOnStage();
test.use({ serviceWorkers: 'allow' });

const secret = 'saffron lighthouse';

async function balance(page: Page): Promise<string> {
  const text = page.getByRole('banner').getByText(/Available: [\d,]+ submissions/);
  await expect(text).toBeVisible();
  return (await text.textContent()) ?? '';
}

/** Signs in, runs a batch and opens it through the service worker, to read it offline. */
async function openFinished(page: Page): Promise<string> {
  await startSession(page, 'client@demo.test');
  const text = ['topic', secret, 'second'].join('\n');
  const id = await openCompleted(page, { name: 'kept.csv', text, question: 'Describe {{topic}}' });
  await loadThroughWorker(page);
  await expect(page.getByText(`Demo answer (no AI): Describe ${secret}`).first()).toBeVisible();
  return id;
}

/** Everything the browser stores for this site, as text. */
function leftovers(page: Page): Promise<{
  databases: string[];
  cached: string[];
  local: string[];
  tab: string;
}> {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const cached: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        cached.push(new URL(url).pathname);
    return {
      databases,
      cached,
      local: Object.keys(localStorage),
      tab: JSON.stringify({ ...sessionStorage }),
    };
  });
}

async function expectNothingLeft(page: Page, local: string[] = []): Promise<void> {
  await expect.poll(async () => (await leftovers(page)).databases).toEqual([]);
  const left = await leftovers(page);
  expect(left.cached.filter((path) => path.startsWith('/api/'))).toEqual([]);
  expect(left.local.sort()).toEqual(local);
  expect(left.tab).not.toContain(secret);
}

test('shows a finished batch without a connection, and lists what could not be saved', async ({
  page,
  context,
}) => {
  const id = await openFinished(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'kept.csv' })).toBeVisible();
  await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
  await expect(
    page
      .getByRole('complementary', { name: 'Row 1' })
      .getByText(`Demo answer (no AI): Describe ${secret}`)
      .filter({ visible: true }),
  ).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByText('This loads when you are back online.')).toBeVisible();
  await page.goto(`/history/${id}`);
  await expect(page.getByText(`Demo answer (no AI): Describe ${secret}`).first()).toBeVisible();
  await page.getByRole('button', { name: 'Open row 1', exact: true }).focus();
  for (const key of ['w', 'r']) await page.keyboard.press(key);
  await expect(page.getByText('2 judgements are not saved.')).toBeVisible();
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Batches' }).first().click();
  await expect(page).toHaveURL(/\/history$/);
  await page.evaluate(() => setTimeout(() => window.location.reload()));
  await expect.poll(() => asked).toEqual(['beforeunload']);
  const logout = page.getByRole('dialog', { name: 'Log Out' });
  const lost = logout.getByText('Judgements of answers are not saved.');
  await openSettings(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(lost).toBeVisible();
  await expectAccessible(page);
  await logout.getByRole('button', { name: 'Cancel' }).click();
  await context.setOffline(false);
  await page.goBack();
  await page.getByRole('button', { name: 'Save again' }).click();
  for (const name of ['Wrong (1)', 'Right (1)'])
    await expect(page.getByRole('button', { name })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save again' })).toHaveCount(0);
  await openSettings(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(logout).toBeVisible();
  await expect(lost).toHaveCount(0);
});

test('makes room for what is opened by deleting what was stored first', async ({
  page,
  context,
}) => {
  await openFinished(page);
  await page.evaluate(async () => {
    const opening = indexedDB.open('offline-cache');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const answers = opening.result.transaction('answers', 'readwrite').objectStore('answers');
    answers.clear();
    // They are sorted behind the keys of the app.
    for (let age = 500; age > 0; age--)
      answers.put({ answer: null, storedAt: Date.now() - 60_000 - age }, `~${age}`);
    await new Promise((resolve) => answers.transaction.addEventListener('complete', resolve));
    opening.result.close();
  });
  await page.reload();
  await expect(page.getByText(`Demo answer (no AI): Describe ${secret}`).first()).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'kept.csv' })).toBeVisible();
  await expect(page.getByText(`Demo answer (no AI): Describe ${secret}`).first()).toBeVisible();
});

test('closes each connection to what it stores', async ({ page }) => {
  await page.addInitScript(() => {
    const connections = { opened: 0, closed: 0 };
    Object.assign(globalThis, { connections });
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...given) {
      connections.opened++;
      return open.apply(this, given);
    };
    const { close } = IDBDatabase.prototype;
    IDBDatabase.prototype.close = function () {
      connections.closed++;
      close.call(this);
    };
  });
  await openFinished(page);
  const connections = () =>
    page.evaluate<{ opened: number; closed: number }>('globalThis.connections');
  await expect.poll(async () => (await connections()).closed).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      const { opened, closed } = await connections();
      return opened - closed;
    })
    .toBe(0);
});

test('says that a list may be out of date while the server cannot be reached', async ({ page }) => {
  await openFinished(page);
  await page.goto('/history');
  const batch = page.getByRole('link', { name: 'kept.csv' }).first();
  await expect(batch).toBeVisible();
  const bar = page.getByText('The server cannot be reached. This page may be out of date.');
  await expect(bar).toBeHidden();
  await intercept(page, '**/api/emedia/**', (route) => route.fulfill({ status: 502, body: 'Bad' }));
  await page.reload();
  await expect(batch).toBeVisible();
  await expect(bar).toBeVisible();
  await page.unroute('**/api/emedia/**');
  await expect(bar).toBeHidden();
});

test('says why a search finds nothing without a connection', async ({ page, context }) => {
  await startSession(page, 'admin@demo.test');
  await startBatch(page, { name: 'kept.csv', text: 'topic\nsea', question: 'Describe {{topic}}' });
  const main = page.getByRole('main');
  for (const [path, found] of [
    ['/history', 'kept.csv'],
    ['/clients', 'Bella Crellin'],
  ] as const) {
    await page.goto(path);
    await expect(main.getByText(found).first()).toBeVisible();
    await context.setOffline(true);
    await page.getByLabel('Search').fill('something else');
    await expect(main.getByText('This loads when you are back online.')).toBeVisible();
    await context.setOffline(false);
    await expect(main.getByText(/^No (matching batches|clients match)/)).toBeVisible();
  }
});

test('keeps a question written offline and does not send it later', async ({ page, context }) => {
  await openFinished(page);
  await page.goto('/ask?sheet=none');
  const before = await balance(page);
  await page.getByLabel('Your question').fill(`Why ${secret}?`);
  await context.setOffline(true);
  // Both in a page that was open and in one that starts without a connection.
  for (const isNew of [false, true]) {
    if (isNew) await page.reload();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await expect(page.getByRole('main').getByText('The server cannot be reached.')).toBeVisible();
  }
  await page.reload();
  await expect(page.getByLabel('Your question')).toHaveValue(`Why ${secret}?`);
  await context.setOffline(false);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/askChatGpt')) asked.push(request.postDataJSON().question);
  });
  await page.reload();
  expect(await balance(page)).toBe(before);
  await expect(page.getByLabel('Your question')).toHaveValue(`Why ${secret}?`);
  // Whatever the page sends by itself, it sends before this.
  await page.getByLabel('Your question').fill('Why not?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByText('Demo answer (no AI): Why not?')).toBeVisible();
  expect(asked).toEqual(['Why not?']);
});

test('opens a sheet and its prompt offline, to write on', async ({ page, context }) => {
  await openFinished(page);
  await page.goto('/ask');
  await upload(page, 'draft.csv', 'Name\nLamp\nTeapot\n');
  await prompt(page).fill('Praise {{Name}}.');
  const start = page.getByRole('button', { name: 'Run 2 rows' });
  await expect(start).toBeEnabled();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'Lamp' })).toBeVisible();
  await expect(prompt(page)).toHaveValue('Praise {{Name}}.');
  await prompt(page).fill('Describe {{Name}}.');
  const bar = page.getByRole('region', { name: 'Cost and start' });
  await expect(bar.getByText('This loads when you are back online.')).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await context.setOffline(false);
  await expect(start).toBeEnabled();
  await expect(prompt(page)).toHaveValue('Describe {{Name}}.');
});

test('stores nothing after logging out on another page', async ({ page, context }) => {
  const id = await openFinished(page);
  expect((await leftovers(page)).databases).toEqual(['offline-cache']);
  await page.goto('/ask?sheet=none');
  await page.getByLabel('Your question').fill(`Why ${secret}?`);
  await page.goto('/profile');
  await openSettings(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/auth');
  await expectNothingLeft(page);
  await context.setOffline(true);
  await page.goto(`/history/${id}`);
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
});

test('stores nothing after a session that was ended elsewhere', async ({ page }) => {
  await openFinished(page);
  await page.goto('/profile');
  await expect(page.getByLabel('Phone')).toBeVisible();
  await clickInEndedSession(page.getByRole('link', { name: 'Submit a Batch (CSV)' }));
  await expect(page).toHaveURL('/auth');
  await expectNothingLeft(page);
});

test('stores nothing of one person when the next one signs in', async ({ page, context }) => {
  const id = await openFinished(page);
  await page.evaluate(() => localStorage.removeItem('currentUser'));
  await signInByForm(page, 'bakery@demo.test');
  await expect(page.getByText('Welcome, Bella.')).toBeVisible();
  await expectNothingLeft(page, [
    'appToken',
    'billingAddress',
    'currentUser',
    'userPlan',
    'userToken',
  ]);
  await page.goto(`/history/${id}`);
  await expect(page.getByRole('heading', { name: 'Batch not found' })).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('This loads when you are back online.')).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
});

// The worker would answer in place of the delayed route.
test.describe('on a slow network', () => {
  test.use({ serviceWorkers: 'block' });

  test('shows that a press was noticed while the next page loads', async ({ page }) => {
    await signIn(page, 'client@demo.test', '/dashboard');
    await expect(page.getByText('Welcome, Clara.')).toBeVisible();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await intercept(page, '**/assets/orders-page-*.js', async (route) => {
      await released;
      await route.continue();
    });
    const bar = page.locator('[class*=authorised-layout__loading]');
    await expect(bar).toHaveCount(0);
    await page.getByRole('link', { name: 'Invoices', exact: true }).click();
    await expect(bar).toBeVisible();
    release();
    await expect(page).toHaveURL('/orders');
    await expect(bar).toHaveCount(0);
  });
});
