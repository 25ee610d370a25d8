import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/server.ts';
import { type Stage, setStage } from './browser.ts';
import { watchPolicy } from './policy-watch.ts';
import { addPack, fillAddress, signIn } from './shop-steps.ts';

const secrets = { secretKey: 'sk_test_key', webhookSecret: 'whsec_key' };
let fake: FakeStripe;
let stage: Stage;

beforeAll(async () => {
  fake = await startFakeStripe(secrets);
  const settings = {
    STRIPE_SECRET_KEY: secrets.secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_key',
    STRIPE_WEBHOOK_SECRET: secrets.webhookSecret,
    STRIPE_API_BASE: fake.url,
  };
  stage = await setStage({ port: 4495, settings });
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await fake[Symbol.asyncDispose]();
});

/** What the provider's script gives to a page, as far as the page uses it. Its calls go where Stripe's go, to the fake. */
const cardScript = `window.Stripe = (key) => {
  const element = { on() {}, off() {}, once() {}, update() {}, destroy() {}, mount: (place) => { place.textContent = 'Frame of ' + key; } };
  const unused = () => {};
  return {
    createToken: unused, createPaymentMethod: unused, confirmCardPayment: unused,
    elements: ({ clientSecret }) => ({ create: () => element, getElement: () => element, update() {}, secret: clientSecret }),
    async confirmPayment({ elements, confirmParams, redirect }) {
      window.asked = { redirect, return_url: confirmParams.return_url };
      const number = window.isDeclined ? '4000000000000002' : '4242424242424242';
      const body = JSON.stringify({ client_secret: elements.secret, number, return_path: '/checkout' });
      const answer = await (await fetch('https://api.stripe.com/pay', { method: 'POST', body })).json();
      return answer.outcome === 'declined' ? { error: { message: answer.message } } : {};
    },
  };
};
window.Stripe.version = 'endive';`;

const stripeHosts = {
  'script-src': ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
  'connect-src': ["'self'", 'https://api.stripe.com'],
  'img-src': ["'self'", 'data:', 'blob:', 'https://*.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
};

/** The sources that a page's policy names, by directive. */
async function policyOf(url: string): Promise<Record<string, string[]>> {
  const policy = (await fetch(url)).headers.get('content-security-policy') ?? '';
  return Object.fromEntries(policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]));
}

it('names the card provider’s hosts in its policy where its key is set, and lets nothing inline run', async () => {
  const policy = await policyOf(stage.url);
  expect(policy).toMatchObject(stripeHosts);
  const { 'script-src': _, 'connect-src': __, 'img-src': ___, 'frame-src': ____, ...others } = policy;
  expect(JSON.stringify(others)).not.toContain('stripe');
  expect(JSON.stringify(policy)).not.toContain('unsafe');
});

it('fetches the script of the card provider only where its key is set, and pays in its frame without a violation of the policy', async () => {
  const fetched: string[] = [];
  const context = await stage.browser.newContext({ baseURL: stage.url, serviceWorkers: 'block' });
  const violations = await watchPolicy(context);
  const page = await context.newPage();
  await page.route('https://js.stripe.com/**', (route) => {
    fetched.push(route.request().url());
    return route.fulfill({ contentType: 'text/javascript', body: cardScript });
  });
  await page.route('https://api.stripe.com/pay', async (route) => {
    const answer = await fetch(`${fake.url}/pay`, { method: 'POST', body: route.request().postData() });
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill({ status: answer.status, headers, json: await answer.json() });
  });
  await signIn(page, 'client@demo.test');
  await addPack(page, '500 submissions');
  await page.goto('/checkout');
  await page.getByLabel('Town').waitFor();
  await fillAddress(page);
  expect(fetched).toEqual([]);
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await page.getByText('Frame of pk_test_key').waitFor();
  expect(fetched).toHaveLength(1);
  await page.evaluate(() => Object.assign(window, { isDeclined: true }));
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('alert').getByText('Your card was declined.').waitFor();
  await page.evaluate(() => Object.assign(window, { isDeclined: false }));
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor();
  const asked = await page.evaluate(() => (window as unknown as { asked: unknown }).asked);
  const order = new URL(page.url()).searchParams.get('order');
  expect(asked).toEqual({ redirect: 'if_required', return_url: `${stage.url}/checkout?order_id=${order}` });
  expect(violations).toEqual([]);
});
