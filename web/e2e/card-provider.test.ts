import { type BrowserContext, expect, type Page, type Route } from '@playwright/test';
import { confirmPayment } from '@rowmill/contract';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/server.ts';
import { testOnStage } from './support/fixtures.ts';
import { intercept } from './support/intercept.ts';
import { watchPolicy } from './support/policy.ts';
import { addPack, fillAddress } from './support/shopping.ts';
import { startSession } from './support/sign-in.ts';
import type { StageOptions } from './support/stage.ts';

const secrets = { secretKey: 'sk_test_key', webhookSecret: 'whsec_key' };

const test = testOnStage().extend<{ stageOptions: StageOptions }, { gateway: FakeStripe }>({
  gateway: [
    async ({ browserName: _ }, use) => {
      await using gateway = await startFakeStripe(secrets);
      await use(gateway);
    },
    { scope: 'worker' },
  ],
  stageOptions: ({ gateway }, use) => use({ settings: gateway.settings }),
});

/** The part of Stripe's script that the page uses. It opens a frame and tells it when to pay. */
const cardScript = `window.Stripe = (key) => {
  const frame = document.createElement('iframe');
  frame.src = 'https://js.stripe.com/frame?key=' + key;
  const on = (name, act) => name === 'loaderror' && window.frameFails && setTimeout(() => act((window.failed = true)));
  const element = { on, off() {}, once() {}, update() {}, destroy() {}, mount: (place) => place.append(frame) };
  const unused = () => {};
  return {
    createToken: unused, createPaymentMethod: unused, confirmCardPayment: unused,
    elements: ({ clientSecret }) => ({ create: () => element, getElement: () => element, update() {}, secret: clientSecret }),
    async confirmPayment({ elements, confirmParams, redirect }) {
      window.asked = { redirect, return_url: confirmParams.return_url };
      const answered = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
      frame.contentWindow.postMessage({ client_secret: elements.secret, return_path: '/checkout' }, 'https://js.stripe.com');
      const answer = await answered;
      return answer.outcome === 'declined' ? { error: { message: answer.message } } : {};
    },
  };
};
window.Stripe.version = 'endive';`;

/** The frame asks for the card and calls Stripe's API, which the test routes to the fake. */
const cardFrame = `<!doctype html><title>Card</title>
<label>Card number <input id="number"></label> <label>CVC <input id="cvc"></label>
<script>
  document.body.append('Frame of ' + new URLSearchParams(location.search).get('key'));
  const typed = (id) => document.getElementById(id).value;
  addEventListener('message', async ({ data, source, origin }) => {
    const body = JSON.stringify({ ...data, number: typed('number'), cvc: typed('cvc') });
    const answer = await fetch('https://api.stripe.com/pay', { method: 'POST', body });
    source.postMessage(await answer.json(), origin);
  });
</script>`;

const declinedNumber = '4000 0000 0000 0002';
const goodNumber = '4242 4242 4242 4242';
/** Letters, so that it cannot occur by chance. */
const cvc = 'the-cvc-of-this-card';

const stripeHosts = {
  'script-src': ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
  'connect-src': ["'self'", 'https://api.stripe.com'],
  'img-src': ["'self'", 'data:', 'blob:', 'https://*.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
};

/** The sources of a page's policy by directive. */
async function policyOf(url: string): Promise<Record<string, string[]>> {
  const policy = (await fetch(url)).headers.get('content-security-policy') ?? '';
  return Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  );
}

test('allows the card provider’s hosts and no inline script when its key is set', async ({
  stage,
}) => {
  const policy = await policyOf(stage.url);
  expect(policy).toMatchObject(stripeHosts);
  const {
    'script-src': _,
    'connect-src': __,
    'img-src': ___,
    'frame-src': ____,
    ...others
  } = policy;
  expect(JSON.stringify(others)).not.toContain('stripe');
  expect(JSON.stringify(policy)).not.toContain('unsafe');
});

test('says that the card form could not be loaded, and loads it at the next try', async ({
  page,
  gateway,
}) => {
  await fakeProvider(page, gateway);
  let network: 'hangs' | 'fails' | 'works' = 'hangs';
  const waiting: Route[] = [];
  await intercept(page, 'https://js.stripe.com/**', (route) => {
    if (network === 'hangs') waiting.push(route);
    else return network === 'fails' ? route.abort() : route.fallback();
  });
  await page.clock.install();
  await startSession(page, 'client@demo.test');
  await addPack(page, '500 submissions');
  await page.goto('/checkout');
  await fillAddress(page);
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await expect.poll(() => waiting.length).toBe(1);
  const failure = page.getByText('The card form could not be loaded.');
  const again = page.getByRole('button', { name: 'Try again' });
  // The form may start to wait only after its script was asked for.
  await expect(async () => {
    await page.clock.fastForward('00:20');
    await expect(failure).toBeVisible({ timeout: 500 });
  }).toPass();
  // The next try still waits for the script, until it is refused.
  await again.click();
  await expect(failure).toBeHidden();
  network = 'fails';
  await waiting[0]?.abort();
  await expect(failure).toBeVisible();
  network = 'works';
  // Now the script loads, but not its frame.
  await page.evaluate(() => Object.assign(window, { frameFails: true }));
  await again.click();
  await page.waitForFunction(() => 'failed' in window);
  await expect(failure).toBeVisible();
  await expect(page.getByRole('button', { name: /^Pay / })).toBeHidden();
  await page.evaluate(() => Object.assign(window, { frameFails: false }));
  await again.click();
  await expect(page.frameLocator('iframe').getByText('Frame of pk_test_fake')).toBeVisible();
});

test('pays in the card provider’s frame and never receives card data', async ({
  stage,
  gateway,
  context,
}) => {
  const violations = await watchPolicy(context);
  const own = recordOwnRequests(context, stage.url);
  const page = await context.newPage();
  const { fetched, paidWith } = await fakeProvider(page, gateway);
  await startSession(page, 'client@demo.test');
  await addPack(page, '500 submissions');
  await page.goto('/checkout');
  await fillAddress(page);
  expect(fetched).toEqual([]);
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  const frame = page.frameLocator('iframe');
  await expect(frame.getByText('Frame of pk_test_fake')).toBeVisible();
  expect(fetched).toHaveLength(1);
  await frame.getByLabel('CVC').fill(cvc);
  await frame.getByLabel('Card number').fill(declinedNumber);
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('main').getByText('Your card was declined.')).toBeVisible();
  await frame.getByLabel('Card number').fill(goodNumber);
  // A card must not be charged later, when the person may have left.
  await page.context().setOffline(true);
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('main').getByText('The server cannot be reached.')).toBeVisible();
  // A question that the page asks when it is back, and whose answer, the decline, comes late.
  const [asked, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await intercept(
    page,
    `**${confirmPayment.path}`,
    async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await late.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.context().setOffline(false);
  await asked.promise;
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect.poll(() => paidWith.length).toBe(2);
  late.resolve();
  await expect(page.getByRole('heading', { name: 'Thank you, your order is paid' })).toBeVisible();
  const confirmed = await page.evaluate(() => (window as unknown as { asked: unknown }).asked);
  const order = new URL(page.url()).searchParams.get('order');
  expect(confirmed).toEqual({
    redirect: 'if_required',
    return_url: `${stage.url}/checkout?order_id=${order}`,
  });
  expect(violations).toEqual([]);
  expect(paidWith).toMatchObject([
    { number: declinedNumber, cvc },
    { number: goodNumber, cvc },
  ]);
  const cardData = [declinedNumber, goodNumber, cvc].map(plain);
  expect(own.filter((request) => cardData.some((part) => plain(request).includes(part)))).toEqual(
    [],
  );
  expect(
    own.filter((request) => /creditintent|confirmPayment/.test(request)).length,
  ).toBeGreaterThanOrEqual(2);
});

/** Address, headers and body of every request to our own server. */
function recordOwnRequests(context: BrowserContext, url: string): readonly string[] {
  const own: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(url)) return;
    own.push(
      `${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`,
    );
  });
  return own;
}

/** Removes spaces, which could hide a card number. */
const plain = (text: string) => text.replace(/\s|\+|%20/g, '');

/** Serves the provider's script, frame and API. Records loads of the script and card data. */
async function fakeProvider(page: Page, gateway: FakeStripe) {
  const fetched: string[] = [];
  const paidWith: object[] = [];
  await intercept(page, 'https://js.stripe.com/**', (route) => {
    const url = route.request().url();
    if (new URL(url).pathname === '/frame')
      return route.fulfill({ contentType: 'text/html', body: cardFrame });
    fetched.push(url);
    return route.fulfill({ contentType: 'text/javascript', body: cardScript });
  });
  await intercept(page, 'https://api.stripe.com/pay', async (route) => {
    const body = route.request().postData() ?? '';
    paidWith.push(JSON.parse(body));
    const answer = await fetch(`${gateway.url}/pay`, { method: 'POST', body });
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill({ status: answer.status, headers, json: await answer.json() });
  });
  return { fetched, paidWith };
}
