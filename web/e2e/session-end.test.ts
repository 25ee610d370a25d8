import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Stage, setStage } from './browser.ts';
import { pressInEndedSession } from './ended-session.ts';
import { signIn } from './shop-steps.ts';

let stage: Stage;
let page: Page;
beforeAll(async () => {
  stage = await setStage({ port: 4494 });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  page = await (await stage.browser.newContext({ baseURL: stage.url })).newPage();
});
afterEach(() => page.context().close());

const isCall = (request: Request) => request.url().includes('/api/');
const telling = (request: Request) =>
  `${new URL(request.url()).pathname} ${request.postData() ?? ''}`;

/** How often each call was made; those that are told apart by what they ask for count apart. */
const countsOf = (asked: readonly Request[]) =>
  new Map([...Map.groupBy(asked, telling)].map(([call, { length }]) => [call, length] as const));

/** The session ends at the server while the browser still believes in it. */
const endSession = () =>
  page.evaluate(() => localStorage.setItem('userToken', JSON.stringify('ended')));

/** Nothing that is asked from now on is let through before the door is opened. */
async function shutDoor(): Promise<{ waiting: () => number; open: () => void }> {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  let waiting = 0;
  await page.route('**/api/**', async (route) => {
    waiting += 1;
    await isOpen;
    await route.continue();
  });
  return { waiting: () => waiting, open };
}

it('leaves once for the sign-in page when several calls are under way, and asks none of them more than once again', async () => {
  await signIn(page, 'client@demo.test');
  await page.getByText('Welcome, Clara.').waitFor();
  await page.getByRole('banner').getByText('Available: 1,000 submissions').waitFor();
  const asked: Request[] = [];
  const places: string[] = [];
  const door = await shutDoor();
  page.on('request', (request) => isCall(request) && asked.push(request));
  await endSession();
  page.on('framenavigated', (frame) => places.push(new URL(frame.url()).pathname));
  // Somebody in a hurry: no page has its answer yet when the next one is opened.
  await page.getByRole('button', { name: 'Refresh credits' }).click();
  for (const [name, title] of [
    ['Invoices', 'Orders'],
    ['Activity', 'Activity'],
    ['Edit Profile', 'Profile'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  }
  await expect.poll(door.waiting).toBeGreaterThanOrEqual(5);
  const before = countsOf(asked);
  const askedAgain = () =>
    [...countsOf(asked)].filter(([call, count]) => count === 2 * (before.get(call) ?? 1));
  const askedTooOften = () =>
    [...countsOf(asked)].filter(([call, count]) => count > 2 * (before.get(call) ?? 1));
  door.open();
  await page.waitForURL('**/auth');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // The stream, and what only a page that is gone was waiting for, need not be asked for again.
  await expect.poll(() => askedAgain().length).toBeGreaterThanOrEqual(1);
  await page.getByLabel('Email').fill('nobody@example.test');
  expect(askedTooOften()).toEqual([]);
  expect(places.filter((path) => path === '/auth')).toHaveLength(1);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

it('repeats what writes under the same key, so that it cannot happen twice', async () => {
  await signIn(page, 'client@demo.test');
  await page.goto('/ask?sheet=none');
  await page.getByLabel('Your question').fill('Does this arrive twice?');
  const asked: Request[] = [];
  page.on('request', (request) => request.url().endsWith('/askChatGpt') && asked.push(request));
  await pressInEndedSession(page.getByRole('button', { name: 'Ask', exact: true }));
  await page.waitForURL('**/auth');
  await expect.poll(() => asked.length).toBe(2);
  const keys = asked.map((request) => request.headers()['idempotency-key']);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
  await signIn(page, 'client@demo.test');
  await page.getByRole('banner').getByText('Available: 1,000 submissions').waitFor();
  expect(asked).toHaveLength(2);
});

it('reloads once by itself for a part that a newer version has replaced, and then leaves it to the person', async () => {
  await page.context().close();
  page = await (
    await stage.browser.newContext({ baseURL: stage.url, serviceWorkers: 'block' })
  ).newPage();
  await signIn(page, 'client@demo.test');
  await page.getByText('Welcome, Clara.').waitFor();
  await page.route('**/assets/ask-page-*.js', (route) => route.fulfill({ status: 404, body: '' }));
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.getByRole('link', { name: 'Submit a Batch (CSV)' }).first().click();
  await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
  await expect.poll(() => loads).toBe(1);
  await page.unroute('**/assets/ask-page-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
});
