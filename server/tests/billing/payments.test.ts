// size: every outcome of buying by card and by wallet
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { type AnswerOf, type createOrder, roles } from '@rowmill/contract';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { sendPaymentFailedEmail } from '../../src/domains/billing/emails.ts';
import { reconcileOrders } from '../../src/domains/billing/payments/reconcile-orders.ts';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import {
  type PaymentServer,
  pack,
  packCount,
  packPrice,
  startPaymentServer,
} from '../support/payment-server.ts';
import { createUser, type TestUser } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const server = await startPaymentServer();
afterAll(server.eventsProcessed);

async function expectPaidAtSecondAttempt(person: TestUser, order_id: string) {
  const { body } = await server.call('confirmPayment', { order_id }, person);
  expect(body.creditsAvailable).toBe(packCount);
  const { payments } = (await server.call('getPayments', {}, person)).body;
  expect(payments.map(({ payment_status }) => payment_status)).toEqual(['paid', 'failed']);
}

describe('buying by card', () => {
  it('grants the submissions once when several people confirm and claim it repeatedly', async () => {
    const person = await createUser(server);
    const { order_id, client_secret, total_minor } = await server.orderByCard(person, 2);
    expect(total_minor).toBe(2 * packPrice);
    expect((await server.call('buyCredits', { order_id }, person)).body.code).toBe('not_paid');
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    const confirmed = await Promise.all(
      Array.from({ length: 20 }, () =>
        retryWhileBusy(() => server.call('confirmPayment', { order_id }, person)),
      ),
    );
    expect(new Set(confirmed.map(({ body }) => body.payment_status))).toEqual(new Set(['paid']));
    await Promise.all([
      reconcileOrders(server.app.ctx),
      ...Array.from({ length: 5 }, () => server.call('buyCredits', { order_id }, person)),
    ]);
    expect((await server.call('buyCredits', { order_id }, person)).body.creditsAvailable).toBe(
      2 * packCount,
    );
    expect(await server.balance(person)).toBe(2 * packCount);
  });

  it('asks the provider only so often, and else shows what is stored', async () => {
    const person = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(person);
    const ask = async () => (await server.call('confirmPayment', { order_id }, person)).body;
    expect((await ask()).payment_status).toBe('pending');
    const { attempts, name, windowMilliseconds } = rateLimits.paymentCheckPerPerson;
    const counts = server.app.ctx.db.updateTable('rate_limits').set({ attempts });
    await counts.where('key', 'like', `${name}:%`).execute();
    server.stripe.sender.isMute = true;
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    server.stripe.sender.isMute = false;
    expect((await ask()).payment_status).toBe('pending');
    expect((await server.call('updateCreditCount', {}, person)).body.creditsAvailable).toBe(0);
    server.clock.advance(windowMilliseconds);
    expect(await ask()).toMatchObject({ payment_status: 'paid', creditsAvailable: packCount });
  });

  it('accepts another card for the same order after a declined one', async () => {
    const person = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(person);
    const intent = server.stripe.intents.get(client_secret);
    server.stripe.intents.decline(intent, 'card_declined', 'Your card was declined.');
    const declined = await server.call('confirmPayment', { order_id }, person);
    expect(declined.body).toMatchObject({
      payment_status: 'failed',
      problem: 'Your card was declined.',
      creditsAvailable: 0,
    });
    const resumed = await server.call('resumePayment', { order_id }, person);
    expect(resumed.body).toMatchObject({
      client_secret,
      total_minor: packPrice,
      provider: 'card',
      approve_url: null,
    });
    server.stripe.intents.succeed(intent);
    expect((await server.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'paid',
      problem: null,
    });
    expect((await server.call('resumePayment', { order_id }, person)).body.code).toBe('not_now');
  });

  it('takes no payment for an order whose items were paid in another one', async () => {
    const person = await createUser(server);
    const left = await server.orderByCard(person);
    const other = await server.orderByCard(person, 4);
    const paid = await server.buyByCard(person);
    const later = await server.orderByCard(person);
    const { orders } = (await server.call('getOrders', {}, person)).body;
    expect(
      orders.map(({ order_id, replaced_by, can_resume }) => [order_id, replaced_by, can_resume]),
    ).toEqual([
      [later.order_id, null, true],
      [paid.order_id, null, false],
      [other.order_id, null, true],
      [left.order_id, paid.order_id, false],
    ]);
    const { payments } = (await server.call('getPayments', {}, person)).body;
    expect(payments.map(({ replaced_by }) => replaced_by)).toEqual([
      null,
      null,
      null,
      paid.order_id,
    ]);
    const resumed = await server.call('resumePayment', { order_id: left.order_id }, person);
    expect(resumed.body).toMatchObject({
      code: 'not_now',
      message:
        'You have already paid for these items in another order. To buy them again, place a new order.',
    });
    // What the buyer pays anyway is delivered.
    server.stripe.intents.succeed(server.stripe.intents.get(left.client_secret));
    await server.call('confirmPayment', { order_id: left.order_id }, person);
    expect(await server.balance(person)).toBe(2 * packCount);
    const details = await server.call('getOrderDetails', { orderId: left.order_id }, person);
    expect(details.body.order).toMatchObject({ payment_status: 'paid', replaced_by: null });
    // The later order was made before this payment.
    expect((await server.call('getOrders', {}, person)).body.orders[0]?.can_resume).toBe(false);
  });

  it('takes payment again when the order paid instead was refunded', async () => {
    const person = await createUser(server);
    const left = await server.orderByCard(person);
    const { intent } = await server.buyByCard(person);
    server.stripe.intents.refund(intent);
    await server.eventsProcessed();
    const resumed = await server.call('resumePayment', { order_id: left.order_id }, person);
    expect(resumed.body.client_secret).toBe(left.client_secret);
  });

  it('opens one new payment when the provider cancelled the first', async () => {
    const person = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(person);
    const { intents } = server.stripe;
    intents.cancel(intents.get(client_secret));
    await server.eventsProcessed();
    expect(await server.orderStatus(person, order_id)).toBe('failed');
    const before = intents.all.size;
    const resumed = await Promise.all(
      Array.from({ length: 5 }, () =>
        retryWhileBusy(() => server.call('resumePayment', { order_id }, person)),
      ),
    );
    const [secret, ...others] = new Set(resumed.map(({ body }) => body.client_secret ?? ''));
    expect([others, intents.all.size - before]).toEqual([[], 1]);
    expect(secret).not.toBe(client_secret);
    intents.succeed(intents.get(secret ?? ''));
    await expectPaidAtSecondAttempt(person, order_id);
  });

  it('starts a plan with its period and submissions, and a second one after it', async () => {
    const person = await createUser(server);
    const { plans } = (await server.call('getPlans', {})).body;
    const month = plans.find(({ id }) => id === 'month');
    for (let time = 0; time < 2; time++) {
      const { order_id, client_secret } = (
        await server.call('stripeIntent', { plan: { id: 'month' } }, person)
      ).body;
      expect((await server.call('setPlan', { id: 'month', order_id }, person)).body.code).toBe(
        'not_paid',
      );
      server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
      const { plan } = (await server.call('setPlan', { id: 'month', order_id }, person)).body;
      const days = (Date.parse(plan.ends_at ?? '') - server.clock.now().getTime()) / 86_400_000;
      expect(Math.round(days)).toBe(30 * (time + 1));
      expect((await server.call('setPlan', { id: 'year', order_id }, person)).status).toBe(404);
    }
    expect(await server.balance(person)).toBe(2 * (month?.submissions ?? 0));
    const shown = (await server.call('getUserPlan', {}, person)).body;
    expect(shown.next_plans).toMatchObject([{ id: 'month', started_at: shown.plan?.ends_at }]);
    const admin = await createUser(server, { roleId: roles.admin });
    await server.app.ctx.db
      .updateTable('users')
      .set({ admin_id: admin.id })
      .where('id', '=', person.id)
      .execute();
    expect((await server.call('getUsersPlan', {}, admin)).body).toMatchObject({
      plans: [{ id: 'month', user_id: person.id, ends_at: shown.plan?.ends_at }],
      next_plans: [{ id: 'month', user_id: person.id, started_at: shown.plan?.ends_at }],
    });
  });
});

describe('two plans that are paid in two tabs at the same moment', () => {
  it('follow each other', async () => {
    const { intents } = server.stripe;
    const people = await Promise.all(Array.from({ length: 8 }, () => createUser(server)));
    const buy = async (person: TestUser) => {
      const order = { plan: { id: 'month' } };
      const { body } = await retryWhileBusy(() => server.call('stripeIntent', order, person));
      intents.succeed(intents.get(body.client_secret), undefined, () => {});
      return { person, order_id: body.order_id };
    };
    const orders = await Promise.all([...people, ...people].map(buy));
    await Promise.all(
      orders.map(({ person, order_id }) =>
        retryWhileBusy(() => server.call('confirmPayment', { order_id }, person)),
      ),
    );
    const { db } = server.app.ctx;
    for (const { id } of people) {
      const plans = db.selectFrom('user_plans').selectAll().where('user_id', '=', id);
      const [first, second] = await plans.orderBy('started_at').execute();
      expect(second?.started_at).toEqual(first?.ends_at);
    }
  });
});

describe('buying by wallet', () => {
  it('captures a payment only after its approval', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    expect((await server.call('confirmPayment', { order_id }, person)).body.payment_status).toBe(
      'pending',
    );
    server.paypal.orders.approve(ref);
    const confirmed = await server.call('confirmPayment', { order_id }, person);
    expect(confirmed.body).toMatchObject({ payment_status: 'paid', creditsAvailable: packCount });
    expect(server.paypal.orders.get(ref).captures).toHaveLength(1);
  });

  it('leads back to the address at which the buyer is signed in', async () => {
    const atLocalhost = { origin: 'http://localhost:0' };
    const own = { ...(await createUser(server)), headers: atLocalhost };
    const { order_id, ref } = await server.orderByWallet(own);
    expect(server.paypal.orders.get(ref)).toMatchObject({
      returnUrl: `http://localhost:0/checkout?order_id=${order_id}`,
      cancelUrl: `http://localhost:0/checkout?order_id=${order_id}&cancelled=1`,
    });
    const foreign = { ...own, headers: { origin: 'http://shop.test' } };
    expect((await server.call('resumePayment', { order_id }, foreign)).body.code).toBe(
      'foreign_origin',
    );
  });

  it('leads back there also when the browser names no origin', async () => {
    const { token } = await createUser(server);
    const type = { 'content-type': 'application/json' };
    const headers = { ...type, authorization: `Bearer ${token}`, host: 'localhost:0' };
    const order = request(`${server.app.url}/api/createOrder`, { method: 'POST', headers });
    order.end(JSON.stringify({ type: 'credits', items: [{ id: pack, quantity: 1 }] }));
    const [answer] = await once(order, 'response');
    const { order_id, approve_url } = (await json(answer)) as AnswerOf<typeof createOrder>;
    const ref = new URL(approve_url ?? '').searchParams.get('token') ?? '';
    const returnUrl = `http://localhost:0/checkout?order_id=${order_id}`;
    expect(server.paypal.orders.get(ref)).toMatchObject({ returnUrl });
  });

  it('grants nothing while the wallet checks the payment, and everything afterwards', async () => {
    const person = await createUser(server);
    server.paypal.sender.isMute = true;
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.approve(ref, 'pending');
    expect((await server.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'pending',
      is_processing: true,
      creditsAvailable: 0,
    });
    expect((await server.call('resumePayment', { order_id }, person)).body).toMatchObject({
      code: 'not_now',
      message: expect.stringContaining('still checking'),
    });
    server.paypal.orders.endCapture(server.paypal.orders.get(ref), 'COMPLETED');
    server.paypal.sender.isMute = false;
    expect((await server.call('buyCredits', { order_id }, person)).body.creditsAvailable).toBe(
      packCount,
    );
  });

  it('tells the buyer when the wallet refuses a payment that it was checking', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.approve(ref, 'pending');
    await server.call('confirmPayment', { order_id }, person);
    server.paypal.orders.endCapture(server.paypal.orders.get(ref), 'DECLINED');
    await server.eventsProcessed();
    const { text } = await server.emailTo(person.email, 'payment failed');
    expect(text).toContain('Your payment of £6.00 for 500 submissions was being checked');
    const { notifications } = (await server.call('getNotifications', {}, person)).body;
    expect(notifications[0]?.text).toMatch(/^Payment failed: £6.00 for 500 submissions/);
    // An email that comes late is not about the next attempt.
    await server.call('resumePayment', { order_id }, person);
    const mail = { ...server.app.ctx.mail, send: vi.fn() };
    await sendPaymentFailedEmail({ ...server.app.ctx, mail }, { orderId: order_id });
    expect(mail.send).not.toHaveBeenCalled();
  });

  it('does not ask to try again when the buyer has paid the same in another order', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.approve(ref, 'pending');
    await server.call('confirmPayment', { order_id }, person);
    await server.buyByCard(person);
    server.paypal.orders.endCapture(server.paypal.orders.get(ref), 'DECLINED');
    await server.eventsProcessed();
    expect(await server.orderStatus(person, order_id)).toBe('failed');
    const { notifications } = (await server.call('getNotifications', {}, person)).body;
    expect(notifications.map(({ text }) => text)).toEqual(['Payment received: 500 submissions.']);
  });

  it('grants nothing when the wallet declines, and the buyer can choose again', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.sender.isMute = true;
    server.paypal.orders.approve(ref, 'decline');
    expect((await server.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'failed',
      creditsAvailable: 0,
    });
    const { approve_url } = (await server.call('resumePayment', { order_id }, person)).body;
    expect(approve_url).toContain(ref);
    server.paypal.orders.approve(ref);
    server.paypal.sender.isMute = false;
    expect((await server.call('confirmPayment', { order_id }, person)).body.payment_status).toBe(
      'paid',
    );
  });

  it('opens a new payment after a decline that leaves no page to choose again', async () => {
    const person = await createUser(server);
    server.paypal.sender.isMute = true;
    const { order_id, ref } = await server.orderByWallet(person);
    const confirm = async () =>
      (await server.call('confirmPayment', { order_id }, person)).body.payment_status;
    server.paypal.orders.staysApproved = true;
    server.paypal.orders.approve(ref, 'decline');
    expect(await confirm()).toBe('failed');
    const { approve_url } = (await server.call('resumePayment', { order_id }, person)).body;
    server.paypal.orders.staysApproved = false;
    const next = new URL(approve_url ?? '').searchParams.get('token') ?? '';
    expect(next).not.toBe(ref);
    server.paypal.orders.approve(next);
    server.paypal.sender.isMute = false;
    expect(await confirm()).toBe('paid');
    expect(server.paypal.orders.get(ref).captures).toEqual([]);
    expect(await server.balance(person)).toBe(packCount);
    const { payments } = (await server.call('getPayments', {}, person)).body;
    expect(payments.map(({ payment_status }) => payment_status)).toEqual(['paid', 'failed']);
  });

  it('shows no failure while another call captures the payment', async () => {
    const person = await createUser(server);
    server.paypal.sender.isMute = true;
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.approve(ref);
    server.paypal.sender.isMute = false;
    server.paypal.orders.isBusy = true;
    const confirm = async () =>
      (await server.call('confirmPayment', { order_id }, person)).body.payment_status;
    expect(await confirm()).toBe('pending');
    server.paypal.orders.isBusy = false;
    expect(await confirm()).toBe('paid');
  });

  it('tells a decline to the buyer who returns after its webhook', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.approve(ref, 'decline');
    await server.eventsProcessed();
    for (const call of ['confirmPayment', 'getPaymentStatus'] as const)
      expect((await server.call(call, { order_id }, person)).body).toMatchObject({
        payment_status: 'failed',
        problem: expect.stringContaining('declined'),
      });
    await server.call('resumePayment', { order_id }, person);
    server.paypal.orders.approve(ref);
    await server.eventsProcessed();
    expect((await server.call('confirmPayment', { order_id }, person)).body.payment_status).toBe(
      'paid',
    );
  });

  it('opens a new payment when the wallet no longer knows the old one', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.all.delete(ref);
    const { approve_url } = (await server.call('resumePayment', { order_id }, person)).body;
    const again = new URL(approve_url ?? '').searchParams.get('token') ?? '';
    expect(again).not.toBe(ref);
    server.paypal.orders.approve(again);
    await expectPaidAtSecondAttempt(person, order_id);
  });
});

describe('a payment that does not match its order', () => {
  const tamperings: Record<string, (server: PaymentServer, intent: string) => void> = {
    'a lower amount': ({ stripe }, id) =>
      stripe.intents.succeed(stripe.intents.get(id), packPrice - 1),
    'a higher amount': ({ stripe }, id) =>
      stripe.intents.succeed(stripe.intents.get(id), packPrice + 1),
    'another currency': ({ stripe }, id) =>
      Object.assign(stripe.intents.get(id), { currency: 'jpy' }),
    'real money': ({ stripe }, id) => Object.assign(stripe.intents.get(id), { livemode: true }),
    'another order': ({ stripe }, id) =>
      Object.assign(stripe.intents.get(id).metadata, { order_id: 'other' }),
    'another owner': ({ stripe }, id) =>
      Object.assign(stripe.intents.get(id).metadata, { user_id: 'other' }),
  };

  it.each(Object.entries(tamperings))(
    'goes into review and gives nothing: %s',
    async (_what, tamper) => {
      const person = await createUser(server);
      const { order_id, client_secret } = await server.orderByCard(person);
      const intent = server.stripe.intents.get(client_secret);
      tamper(server, intent.id);
      server.stripe.intents.succeed(intent);
      expect((await server.call('confirmPayment', { order_id }, person)).body).toMatchObject({
        payment_status: 'review',
        creditsAvailable: 0,
      });
      expect((await server.call('buyCredits', { order_id }, person)).body.code).toBe('not_paid');
    },
  );

  it('goes into review when it belongs to another merchant', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.approve(ref).merchantId = 'SOMEBODYELSE';
    expect((await server.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'review',
      creditsAvailable: 0,
    });
    const wrong = await server.orderByWallet(person);
    server.paypal.orders.approve(wrong.ref, 'wrong_amount');
    expect(
      (await server.call('confirmPayment', { order_id: wrong.order_id }, person)).body
        .payment_status,
    ).toBe('review');
  });
});

it('an order is for the client that the cart, the profile or the plan names', async () => {
  const admin = await createUser(server, { roleId: roles.admin });
  const client = await createUser(server, { adminId: admin.id });
  const items = [{ id: pack, quantity: 1 }];
  const buyFor = async ({ id }: TestUser) => [
    await server.call('createOrder', { type: 'credits', items, customer: { user_id: id } }, admin),
    await server.call('createOrder', { type: 'credits', items, customer: { id } }, admin),
    await server.call('stripeCreditIntent', { plan: items, profile: { user_id: id } }, admin),
    await server.call('stripeIntent', { plan: { id: 'month' }, profile: { user_id: id } }, admin),
    await server.call('setPlan', { id: 'free', user_id: id }, admin),
  ];
  for (const { status } of await buyFor(await createUser(server))) expect(status).toBe(404);
  for (const { status } of await buyFor(client)) expect(status).toBe(200);
  const profile = { user_id: client.id };
  const own = { plan: items, profile, switchedAs: { user_id: admin.id } };
  expect((await server.call('stripeCreditIntent', own, admin)).status).toBe(200);
  expect((await server.call('getOrders', {}, client)).body.total).toBe(4);
  expect((await server.call('getOrders', {}, admin)).body.total).toBe(1);
  expect((await server.call('getUserPlan', {}, client)).body.plan?.id).toBe('free');
});

describe('an idempotency key', () => {
  it('finds the payment of a lost answer', async () => {
    const person = await createUser(server);
    const before = server.stripe.intents.all.size;
    // No job of an earlier webhook may use up the lost answers.
    await server.eventsProcessed();
    server.stripe.dropAnswers(3);
    const asked = { ...person, headers: { 'idempotency-key': 'lost' } };
    const request = { plan: [{ id: pack, quantity: 1 }] };
    const lost = await server.call('stripeCreditIntent', request, asked);
    expect(lost.body.code).toBe('busy');
    const found = await server.call('stripeCreditIntent', request, asked);
    expect(found.status).toBe(200);
    expect(server.stripe.intents.all.size - before).toBe(1);
    expect((await server.call('getOrders', {}, person)).body.total).toBe(1);
  });

  it('is not needed when the webhook names a payment whose id was lost', async () => {
    const person = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(person);
    await server.app.ctx.db
      .updateTable('payments')
      .set({ provider_ref: null })
      .where('order_id', '=', order_id)
      .execute();
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    await server.eventsProcessed();
    expect(await server.balance(person)).toBe(packCount);
  });
});
