import type { SiteSettings } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { pack } from '../support/payment-server.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

it('the demo sells by test card and test wallet without any key', async () => {
  const demo = await startTestServer({ DEMO: 'on' });
  const at = (path: string, init?: RequestInit) =>
    fetch(demo.app.url + path, { redirect: 'manual', ...init });
  const settings = (await (await at('/config.prod.json')).json()) as SiteSettings;
  expect(settings.payments).toEqual({
    stripe: { publishable_key: null },
    paypal: { client_id: null },
    test_cards: true,
    test_wallet: true,
  });
  const person = await createUser(demo);
  const { order_id, client_secret } = (
    await demo.call('stripeCreditIntent', { plan: [{ id: pack, quantity: 1 }] }, person)
  ).body;
  const pay = async (number: string) => {
    const body = JSON.stringify({ client_secret, number, return_path: '/checkout' });
    const answer = await at('/dev/stripe/pay', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const outcome = (await answer.json()) as { outcome: string; next_url: string };
    return { status: answer.status, body: outcome };
  };
  expect((await pay('4111111111111111')).status).toBe(422);
  expect((await pay('4000 0000 0000 0002')).body).toMatchObject({
    outcome: 'declined',
    message: 'Your card was declined.',
  });
  const asked = await pay('4000002500003155');
  expect(asked.body.outcome).toBe('requires_action');
  const { pathname, search } = new URL(asked.body.next_url);
  const page = await (await at(pathname + search)).text();
  expect(page).toContain('GBP 6.00');
  expect(page).not.toMatch(/<script|style=/);
  const form = new URLSearchParams({
    payment: client_secret,
    return_path: '/checkout',
    answer: 'yes',
  });
  const back = await at('/dev/stripe/challenge', { method: 'POST', body: form });
  expect(back.headers.get('location')).toBe(`/checkout?order_id=${order_id}`);
  expect((await demo.call('confirmPayment', { order_id }, person)).body).toMatchObject({
    payment_status: 'paid',
    creditsAvailable: 500,
  });
  const wallet = (await demo.call('createOrder', { type: 'plan', plan: { id: 'month' } }, person))
    .body;
  const approve = new URL(wallet.approve_url);
  expect(await (await at(approve.pathname + approve.search)).text()).toContain('Test wallet');
  const token = approve.searchParams.get('token') ?? '';
  const returned = await at(approve.pathname, {
    method: 'POST',
    body: new URLSearchParams({ token, answer: 'yes', outcome: 'pay' }),
  });
  expect(returned.headers.get('location')).toContain(
    `/auth/billing?order_id=${wallet.order_id}&token=${token}`,
  );
  while ((await demo.balance(person)) !== 2500)
    await new Promise((resolve) => setTimeout(resolve, 25));
});
