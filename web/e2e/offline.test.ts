import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startBatch, waitForState } from './batch-steps.ts';
import { type Stage, setStage } from './browser.ts';
import { pressInEndedSession } from './ended-session.ts';
import { signIn } from './shop-steps.ts';
import { loadThroughWorker } from './through-worker.ts';

let stage: Stage;
let context: BrowserContext;
let page: Page;
/** Every call that left the browser, whether or not it arrived. */
const calls: string[] = [];

beforeAll(async () => {
  stage = await setStage({ port: 4492 });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  context = await stage.browser.newContext({ baseURL: stage.url });
  page = await context.newPage();
  calls.length = 0;
  page.on(
    'request',
    (request) => request.url().includes('/api/') && calls.push(new URL(request.url()).pathname),
  );
});
afterEach(() => context.close());

const secret = 'saffron lighthouse';
async function balance(): Promise<string> {
  const words = page.getByRole('banner').getByText(/Available: [\d,]+ submissions/);
  await words.waitFor();
  return (await words.textContent()) ?? '';
}

/** Signed in, with a finished batch that was opened, and the worker at hand that opens the app without a connection. */
async function openFinished(): Promise<string> {
  await signIn(page, 'client@demo.test');
  await page.getByText('Welcome, Clara.').waitFor();
  const text = ['topic', secret, 'second'].join('\n');
  const id = await startBatch(page, { name: 'kept.csv', text, question: 'Describe {{topic}}' });
  await page.goto(`/history/${id}`);
  await waitForState(page, 'completed');
  await loadThroughWorker(page);
  await page.getByText(`Demo answer (no AI): Describe ${secret}`).first().waitFor();
  return id;
}

/** Everything that the browser keeps for this site, as text. */
function leftovers(): Promise<{
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

async function expectNothingLeft(local: string[] = []): Promise<void> {
  await expect.poll(async () => (await leftovers()).databases).toEqual([]);
  const left = await leftovers();
  expect(left.cached.filter((path) => path.startsWith('/api/'))).toEqual([]);
  expect(left.local.sort()).toEqual(local);
  expect(left.tab).not.toContain(secret);
}

it('reads a finished batch without a connection', async () => {
  const id = await openFinished();
  await context.setOffline(true);
  await page.reload();
  await page.getByText('You’re offline.').waitFor();
  await page.getByRole('heading', { name: 'kept.csv' }).waitFor();
  await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Row 1' })
    .getByText(`Demo answer (no AI): Describe ${secret}`)
    .waitFor();
  await page.goto('/dashboard');
  await page.goto(`/history/${id}`);
  await page.getByText(`Demo answer (no AI): Describe ${secret}`).first().waitFor();
});

it('keeps what is written without a connection, and sends nothing of it later', async () => {
  await openFinished();
  await page.goto('/ask?sheet=none');
  const before = await balance();
  await context.setOffline(true);
  await page.reload();
  await page.getByLabel('Your question').fill(`Why ${secret}?`);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Your question').inputValue()).toBe(`Why ${secret}?`);
  await context.setOffline(false);
  calls.length = 0;
  await page.reload();
  expect(await balance()).toBe(before);
  await page.waitForLoadState('load');
  expect(calls.filter((path) => path.endsWith('/askChatGpt'))).toEqual([]);
  expect(await page.getByLabel('Your question').inputValue()).toBe(`Why ${secret}?`);
});

it('keeps nothing after logging out, on whichever page', async () => {
  const id = await openFinished();
  expect((await leftovers()).databases).toEqual(['offline-cache']);
  await page.goto('/ask?sheet=none');
  await page.getByLabel('Your question').fill(`Why ${secret}?`);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/auth');
  await expectNothingLeft();
  await context.setOffline(true);
  await page.goto(`/history/${id}`);
  await page.waitForURL('**/auth');
  expect(await page.getByText(secret).count()).toBe(0);
});

it('keeps nothing after a session that was ended elsewhere', async () => {
  await openFinished();
  await page.goto('/profile');
  await page.getByLabel('Phone').waitFor();
  await pressInEndedSession(page.getByRole('link', { name: 'Submit a Batch (CSV)' }));
  await page.waitForURL('**/auth');
  await expectNothingLeft();
});

it('keeps nothing of one person when the next one signs in', async () => {
  const id = await openFinished();
  await page.evaluate(() => localStorage.removeItem('currentUser'));
  await signIn(page, 'bakery@demo.test');
  await page.getByText('Welcome, Bella.').waitFor();
  await expectNothingLeft(['appToken', 'billingAddress', 'currentUser', 'userPlan', 'userToken']);
  await page.goto(`/history/${id}`);
  await page.getByRole('heading', { name: 'Batch not found' }).waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.getByText('You’re offline.').waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
});
