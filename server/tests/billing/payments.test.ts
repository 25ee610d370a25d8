import { roles } from '@rowmill/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { reconcileOrders } from '../../src/domains/billing/reconcile-orders.ts';
import { signedIn } from '../support/people.ts';
import { pack, packCount, packPrice, type Shop, startShop } from '../support/shop.ts';
import { insist } from '../support/world.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});

describe('buying by card', () => {
  it('gives the submissions once, however often it is confirmed and claimed, and by whomever', async () => {
    const person = await signedIn(shop);
    const { order_id, client_secret, total_minor } = await shop.cardOrder(person, 2);
    expect(total_minor).toBe(2 * packPrice);
    expect((await shop.call('buyCredits', { order_id }, person)).body.code).toBe('not_paid');
    shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
    const confirmed = await Promise.all(
      Array.from({ length: 20 }, () =>
        insist(() => shop.call('confirmPayment', { order_id }, person)),
      ),
    );
    expect(new Set(confirmed.map(({ body }) => body.payment_status))).toEqual(new Set(['paid']));
    await Promise.all([
      reconcileOrders(shop.app.ctx),
      ...Array.from({ length: 5 }, () => shop.call('buyCredits', { order_id }, person)),
    ]);
    expect((await shop.call('buyCredits', { order_id }, person)).body.creditsAvailable).toBe(
      2 * packCount,
    );
    expect(await shop.balance(person)).toBe(2 * packCount);
  });

  it('takes another card after a declined one, for the same order', async () => {
    const person = await signedIn(shop);
    const { order_id, client_secret } = await shop.cardOrder(person);
    const intent = shop.stripe.intents.get(client_secret);
    shop.stripe.intents.decline(intent, 'card_declined', 'Your card was declined.');
    const declined = await shop.call('confirmPayment', { order_id }, person);
    expect(declined.body).toMatchObject({
      payment_status: 'failed',
      problem: 'Your card was declined.',
      creditsAvailable: 0,
    });
    const resumed = await shop.call('resumePayment', { order_id }, person);
    expect(resumed.body).toMatchObject({
      client_secret,
      total_minor: packPrice,
      provider: 'card',
      approve_url: null,
    });
    shop.stripe.intents.succeed(intent);
    expect((await shop.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'paid',
      problem: null,
    });
    expect((await shop.call('resumePayment', { order_id }, person)).body.code).toBe('not_now');
  });

  it('opens one new payment for an order whose payment was cancelled at the provider', async () => {
    const person = await signedIn(shop);
    const { order_id, client_secret } = await shop.cardOrder(person);
    const { intents } = shop.stripe;
    intents.cancel(intents.get(client_secret));
    await shop.quiet();
    expect(await shop.status(person, order_id)).toBe('failed');
    const before = intents.all.size;
    const resumed = await Promise.all(
      Array.from({ length: 5 }, () => shop.call('resumePayment', { order_id }, person)),
    );
    const [secret, ...others] = new Set(resumed.map(({ body }) => body.client_secret ?? ''));
    expect([others, intents.all.size - before]).toEqual([[], 1]);
    expect(secret).not.toBe(client_secret);
    intents.succeed(intents.get(secret ?? ''));
    expect((await shop.call('confirmPayment', { order_id }, person)).body.creditsAvailable).toBe(
      packCount,
    );
    expect(
      (await shop.call('getPayments', {}, person)).body.payments.map(
        ({ payment_status }) => payment_status,
      ),
    ).toEqual(['paid', 'failed']);
  });

  it('gives a plan with its period and submissions, and a second one after it', async () => {
    const person = await signedIn(shop);
    const { plans } = (await shop.call('getPlans', {})).body;
    const month = plans.find(({ id }) => id === 'month');
    for (let time = 0; time < 2; time++) {
      const { order_id, client_secret } = (
        await shop.call('stripeIntent', { plan: { id: 'month' } }, person)
      ).body;
      expect((await shop.call('setPlan', { id: 'month', order_id }, person)).body.code).toBe(
        'not_paid',
      );
      shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
      const { plan } = (await shop.call('setPlan', { id: 'month', order_id }, person)).body;
      const days = (Date.parse(plan.ends_at ?? '') - shop.clock.now().getTime()) / 86_400_000;
      expect(Math.round(days)).toBe(30 * (time + 1));
      expect((await shop.call('setPlan', { id: 'year', order_id }, person)).status).toBe(404);
    }
    expect(await shop.balance(person)).toBe(2 * (month?.submissions ?? 0));
    const admin = await signedIn(shop, { roleId: roles.admin });
    await shop.app.ctx.db
      .updateTable('users')
      .set({ admin_id: admin.id })
      .where('id', '=', person.id)
      .execute();
    expect((await shop.call('getUsersPlan', {}, admin)).body.plans).toMatchObject([
      { id: 'month', user_id: person.id },
    ]);
  });

  it('is refused in words where the order is not the person’s', async () => {
    const [person, other] = [await signedIn(shop), await signedIn(shop)];
    const { order_id } = await shop.bought(person);
    for (const call of [
      'confirmPayment',
      'buyCredits',
      'getPaymentStatus',
      'resumePayment',
    ] as const) {
      const [theirs, nobody] = await Promise.all([
        shop.call(call, { order_id }, other),
        shop.call(call, { order_id: 'nothing' }, other),
      ]);
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...nobody.body, request_id: '' });
      expect(theirs.status).toBe(404);
    }
    expect(await shop.balance(other)).toBe(0);
  });
});

describe('buying by wallet', () => {
  it('captures what was approved, and not before', async () => {
    const person = await signedIn(shop);
    const { order_id, ref } = await shop.walletOrder(person);
    expect((await shop.call('confirmPayment', { order_id }, person)).body.payment_status).toBe(
      'pending',
    );
    shop.paypal.orders.approve(ref);
    const confirmed = await shop.call('confirmPayment', { order_id }, person);
    expect(confirmed.body).toMatchObject({ payment_status: 'paid', creditsAvailable: packCount });
    expect(shop.paypal.orders.get(ref).captures).toHaveLength(1);
  });

  it('gives nothing while the wallet checks, and all when it has', async () => {
    const person = await signedIn(shop);
    shop.paypal.sender.isMute = true;
    const { order_id, ref } = await shop.walletOrder(person);
    shop.paypal.orders.approve(ref, 'pending');
    expect((await shop.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'pending',
      creditsAvailable: 0,
    });
    expect((await shop.call('resumePayment', { order_id }, person)).body.approve_url).toBeNull();
    shop.paypal.orders.endCapture(shop.paypal.orders.get(ref), 'COMPLETED');
    shop.paypal.sender.isMute = false;
    expect((await shop.call('buyCredits', { order_id }, person)).body.creditsAvailable).toBe(
      packCount,
    );
  });

  it('gives nothing when the wallet declines, and the person may choose again', async () => {
    const person = await signedIn(shop);
    const { order_id, ref } = await shop.walletOrder(person);
    shop.paypal.sender.isMute = true;
    shop.paypal.orders.approve(ref, 'decline');
    expect((await shop.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'failed',
      creditsAvailable: 0,
    });
    const { approve_url } = (await shop.call('resumePayment', { order_id }, person)).body;
    expect(approve_url).toContain(ref);
    shop.paypal.orders.approve(ref);
    shop.paypal.sender.isMute = false;
    expect((await shop.call('confirmPayment', { order_id }, person)).body.payment_status).toBe(
      'paid',
    );
  });

  it('opens a new payment when the wallet has forgotten the old one', async () => {
    const person = await signedIn(shop);
    const { order_id, ref } = await shop.walletOrder(person);
    shop.paypal.orders.all.delete(ref);
    const { approve_url } = (await shop.call('resumePayment', { order_id }, person)).body;
    const again = new URL(approve_url ?? '').searchParams.get('token') ?? '';
    expect(again).not.toBe(ref);
    shop.paypal.orders.approve(again);
    expect((await shop.call('confirmPayment', { order_id }, person)).body.creditsAvailable).toBe(
      packCount,
    );
    expect(
      (await shop.call('getPayments', {}, person)).body.payments.map(
        ({ payment_status }) => payment_status,
      ),
    ).toEqual(['paid', 'failed']);
  });
});

describe('what a provider says', () => {
  const tamperings: Record<string, (shop: Shop, intent: string) => void> = {
    'another amount': ({ stripe }, id) =>
      stripe.intents.succeed(stripe.intents.get(id), packPrice - 1),
    'more than was asked': ({ stripe }, id) =>
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
    'that does not fit the order is set aside, and gives nothing: %s',
    async (_what, tamper) => {
      const person = await signedIn(shop);
      const { order_id, client_secret } = await shop.cardOrder(person);
      const intent = shop.stripe.intents.get(client_secret);
      tamper(shop, intent.id);
      shop.stripe.intents.succeed(intent);
      expect((await shop.call('confirmPayment', { order_id }, person)).body).toMatchObject({
        payment_status: 'review',
        creditsAvailable: 0,
      });
      expect((await shop.call('buyCredits', { order_id }, person)).body.code).toBe('not_paid');
    },
  );

  it('of another merchant’s wallet is set aside, too', async () => {
    const person = await signedIn(shop);
    const { order_id, ref } = await shop.walletOrder(person);
    shop.paypal.orders.approve(ref).merchantId = 'SOMEBODYELSE';
    expect((await shop.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'review',
      creditsAvailable: 0,
    });
    const wrong = await shop.walletOrder(person);
    shop.paypal.orders.approve(wrong.ref, 'wrong_amount');
    expect(
      (await shop.call('confirmPayment', { order_id: wrong.order_id }, person)).body.payment_status,
    ).toBe('review');
  });
});

describe('an idempotency key', () => {
  it('makes one order and one payment of five requests at once, forty times', async () => {
    const person = await signedIn(shop);
    const before = shop.stripe.intents.all.size;
    for (let round = 0; round < 40; round++) {
      const asked = { ...person, headers: { 'idempotency-key': `round-${round}` } };
      const request = { plan: [{ id: pack, quantity: 1 }] };
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => shop.call('stripeCreditIntent', request, asked)),
      );
      expect(new Set(answers.map(({ body }) => body.order_id)).size).toBe(1);
    }
    expect(shop.stripe.intents.all.size - before).toBe(40);
    expect((await shop.call('getOrders', {}, person)).body.total).toBe(40);
  });

  it('finds the payment again whose answer was lost', async () => {
    const person = await signedIn(shop);
    const before = shop.stripe.intents.all.size;
    // No job of an earlier event is to lose these answers instead.
    await shop.quiet();
    shop.stripe.dropAnswers(3);
    const asked = { ...person, headers: { 'idempotency-key': 'lost' } };
    const request = { plan: [{ id: pack, quantity: 1 }] };
    const lost = await shop.call('stripeCreditIntent', request, asked);
    expect(lost.body.code).toBe('busy');
    const found = await shop.call('stripeCreditIntent', request, asked);
    expect(found.status).toBe(200);
    expect(shop.stripe.intents.all.size - before).toBe(1);
    expect((await shop.call('getOrders', {}, person)).body.total).toBe(1);
  });

  it('is not needed for a payment that we never heard of by name: the provider’s event names it', async () => {
    const person = await signedIn(shop);
    const { order_id, client_secret } = await shop.cardOrder(person);
    await shop.app.ctx.db
      .updateTable('payments')
      .set({ provider_ref: null })
      .where('order_id', '=', order_id)
      .execute();
    shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
    await shop.quiet();
    expect(await shop.balance(person)).toBe(packCount);
  });
});

describe('a client', () => {
  it('buys what an admin orders for him, and both names are kept', async () => {
    const admin = await signedIn(shop, { roleId: roles.admin });
    const own = await signedIn(shop, { adminId: admin.id });
    const foreign = await signedIn(shop);
    const request = (user_id: string) => ({
      plan: [{ id: pack, quantity: 1 }],
      switchedAs: { user_id },
    });
    expect((await shop.call('stripeCreditIntent', request(foreign.id), admin)).status).toBe(404);
    const { order_id, client_secret } = (
      await shop.call('stripeCreditIntent', request(own.id), admin)
    ).body;
    shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
    await shop.call('confirmPayment', { order_id, switchedAs: { user_id: own.id } }, admin);
    expect([await shop.balance(own), await shop.balance(admin)]).toEqual([packCount, 0]);
    const entries = await shop.app.ctx.db
      .selectFrom('audit_entries')
      .select(['act', 'actor_id'])
      .where('subject_id', '=', own.id)
      .where('act', 'in', ['order_made', 'order_paid'])
      .execute();
    expect(entries.map(({ actor_id }) => actor_id)).toEqual([admin.id, admin.id]);
  });

  it('gains nothing by a number of his own', async () => {
    const client = await signedIn(shop);
    await shop.call('updateCreditCount', { count: 1e6 } as never, client);
    expect(await shop.balance(client)).toBe(0);
    expect((await shop.call('updateCreditCount', {}, {})).status).toBe(401);
  });
});

describe('the books', () => {
  it('are right after all of this', async () => {
    await shop.quiet();
    expect(await shop.brokenBooks()).toEqual([]);
  });
});
