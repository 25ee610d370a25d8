import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPayment } from '../../../../fakes/new-payment.ts';
import { type FakePaypal, startFakePaypal } from '../../../../fakes/paypal/server.ts';
import { EventRefused, PaymentRefused, ProviderUnavailable } from '../../domains/billing/port.ts';

import { paypalPayments } from './paypal-payments.ts';

const secrets = { clientId: 'id', clientSecret: 'secret', webhookId: 'hook' };
let fake: FakePaypal;
beforeAll(async () => {
  fake = await startFakePaypal(secrets);
});
afterAll(() => fake[Symbol.asyncDispose]());
const paypal = () => paypalPayments({ ...secrets, apiBase: fake.url });
const listReversals = async (ref: string) =>
  (await paypal().find(ref))?.reversals.map(({ kind, state, amountMinor }) => [
    kind,
    state,
    amountMinor,
  ]);

describe('PayPal payments', () => {
  it('open once, wait for approval and are captured once', async () => {
    const payment = newPayment('once');
    const [open, again] = [await paypal().open(payment), await paypal().open(payment)];
    expect(again).toEqual(open);
    expect(open).toMatchObject({
      clientSecret: null,
      approveUrl: expect.stringContaining(open.ref),
      merchant: expect.any(String),
    });
    expect(await paypal().find(open.ref)).toMatchObject({
      state: 'pending',
      amountMinor: 1234,
      currency: 'GBP',
      orderId: payment.orderId,
    });
    await paypal().capture(open.ref);
    expect(await paypal().find(open.ref)).toMatchObject({ state: 'pending' });
    fake.orders.approve(open.ref);
    expect(await paypal().find(open.ref)).toMatchObject({ state: 'approved' });
    for (let time = 0; time < 3; time++) await paypal().capture(open.ref);
    expect(await paypal().find(open.ref)).toMatchObject({
      state: 'paid',
      userId: payment.userId,
      merchant: open.merchant,
    });
    expect(fake.orders.get(open.ref).captures).toHaveLength(1);
    expect(await paypal().find('NOTHING')).toBeNull();
  });

  it('can be declined, or stay pending until PayPal has checked them', async () => {
    const declined = await paypal().open(newPayment('declined'));
    fake.orders.approve(declined.ref, 'decline');
    await expect(paypal().capture(declined.ref)).rejects.toThrow(PaymentRefused);
    const { ref } = await paypal().open(newPayment('pending'));
    fake.orders.approve(ref, 'pending');
    await paypal().capture(ref);
    expect(await paypal().find(ref)).toMatchObject({ state: 'pending' });
    fake.orders.endCapture(fake.orders.get(ref), 'DECLINED');
    expect(await paypal().find(ref)).toMatchObject({ state: 'failed' });
  });

  it('are asked for with a token in its last minute, which PayPal repeats', async () => {
    await using ending = await startFakePaypal({ ...secrets, tokenSeconds: 30 });
    expect(await paypalPayments({ ...secrets, apiBase: ending.url }).find('NOTHING')).toBeNull();
    expect(ending.calls.map(({ path }) => path)).toEqual([
      '/v1/oauth2/token',
      '/v2/checkout/orders/NOTHING',
    ]);
  });

  it('list refunds and disputes with their states', async () => {
    const { ref } = await paypal().open(newPayment('reversed'));
    fake.orders.approve(ref);
    await paypal().capture(ref);
    fake.orders.refund(ref, '2.00');
    fake.orders.dispute(ref);
    fake.orders.closeDispute(fake.orders.dispute(ref), true);
    expect(await listReversals(ref)).toEqual([
      ['refund', 'taken', 200],
      ['dispute', 'open', 1234],
      ['dispute', 'returned', 1234],
    ]);
  });

  it('list the other disputes while one cannot be read, and what the list says of that one', async () => {
    const { ref } = await paypal().open(newPayment('unread-dispute'));
    fake.orders.approve(ref);
    await paypal().capture(ref);
    const [unread] = [fake.orders.dispute(ref), fake.orders.dispute(ref)];
    if (!unread) throw new Error('there are two disputes');
    fake.orders.unreadable.add(unread.dispute_id);
    expect(await paypal().find(ref)).toMatchObject({ unreadDisputes: [unread.dispute_id] });
    expect(await listReversals(ref)).toEqual([
      ['dispute', 'open', 1234],
      ['dispute', 'open', 1234],
    ]);
    fake.orders.closeDispute(unread, true);
    expect(await listReversals(ref)).toEqual([['dispute', 'open', 1234]]);
    fake.orders.unreadable.clear();
    expect(await paypal().find(ref)).toMatchObject({ unreadDisputes: [] });
    expect(await listReversals(ref)).toContainEqual(['dispute', 'returned', 1234]);
  });

  it('count what a lost dispute takes once, also when PayPal lists it as a refund', async () => {
    const { ref } = await paypal().open(newPayment('lost-dispute'));
    fake.orders.approve(ref);
    await paypal().capture(ref);
    fake.orders.refund(ref, '2.00');
    fake.orders.closeDispute(fake.orders.dispute(ref), false, '4.00');
    const { refunds } = fake.orders.get(ref);
    expect(await listReversals(ref)).toEqual([
      ['refund', 'taken', 200],
      ['refund', 'taken', 400],
      ['dispute', 'returned', 1234],
    ]);
    const settled = refunds.pop();
    expect(await listReversals(ref)).toEqual([
      ['refund', 'taken', 200],
      ['dispute', 'taken', 400],
    ]);
    if (!settled) throw new Error('a lost dispute is listed as a refund');
    refunds.push({ ...settled, amount: { ...settled.amount, value: '1.00' } });
    expect(await listReversals(ref)).toEqual([
      ['refund', 'taken', 200],
      ['refund', 'taken', 100],
      ['dispute', 'taken', 300],
    ]);
  });

  it.each([
    { decidedFirst: 'older', order: [0, 1] },
    { decidedFirst: 'newer', order: [1, 0] },
  ])(
    'count each of two lost disputes while only one is listed as a refund, the $decidedFirst decided first',
    async ({ decidedFirst, order }) => {
      const { ref } = await paypal().open(newPayment(`two-disputes-${decidedFirst}`));
      fake.orders.approve(ref);
      await paypal().capture(ref);
      const disputes = [fake.orders.dispute(ref), fake.orders.dispute(ref)];
      const { refunds } = fake.orders.get(ref);
      const stateOf = async (id = '') =>
        (await paypal().find(ref))?.reversals.find((one) => one.ref === id)?.state;
      const [first, second] = order.map((place) => disputes[place]);
      if (!first || !second) throw new Error('there are two disputes');
      fake.orders.closeDispute(first, false, '3.00');
      expect(await stateOf(first.dispute_id)).toBe('returned');
      fake.orders.closeDispute(second, false, '4.00');
      const [later] = refunds.splice(1);
      expect(await listReversals(ref)).toEqual([
        ['refund', 'taken', 300],
        ['dispute', 'returned', 1234],
        ['dispute', 'taken', 400],
      ]);
      // The other dispute stays as it was.
      expect(await stateOf(first.dispute_id)).toBe('returned');
      if (later) refunds.push(later);
      expect(await stateOf(second.dispute_id)).toBe('returned');
    },
  );

  it('are refunded once for a key, and refuse more than what is left', async () => {
    const { ref } = await paypal().open(newPayment('given-back'));
    await expect(paypal().refund({ ref, amountMinor: 1234, key: 'none' })).rejects.toThrow(
      PaymentRefused,
    );
    fake.orders.approve(ref);
    await paypal().capture(ref);
    for (let time = 0; time < 2; time++)
      await paypal().refund({ ref, amountMinor: 234, key: 'part' });
    expect((await paypal().find(ref))?.reversals).toMatchObject([
      { kind: 'refund', state: 'taken', amountMinor: 234 },
    ]);
    await expect(paypal().refund({ ref, amountMinor: 1234, key: 'more' })).rejects.toThrow(
      /less than or equal/,
    );
  });

  it('are not refused while PayPal works on an earlier call', async () => {
    const { ref } = await paypal().open(newPayment('busy'));
    fake.orders.approve(ref);
    fake.orders.isBusy = true;
    await paypal().capture(ref);
    expect(await paypal().find(ref)).toMatchObject({ state: 'approved' });
    fake.orders.isBusy = false;
    await paypal().capture(ref);
    fake.orders.isBusy = true;
    const refund = paypal().refund({ ref, amountMinor: 1234, key: 'busy' });
    await expect(refund).rejects.toThrow(ProviderUnavailable);
    fake.orders.isBusy = false;
  });

  it('accept events only with a valid signature', async () => {
    const { ref } = await paypal().open(newPayment('event'));
    fake.orders.approve(ref);
    const event = fake.events.at(-1);
    if (!event) throw new Error('an approval emits an event');
    const headers = event.headersFor(event.body);
    const read = (body: string, more = {}) =>
      paypal().readEvent({
        body: Buffer.from(body),
        headers: { ...headers, ...more },
        network: '192.0.2.1',
      });
    expect(await read(event.body)).toEqual({
      id: event.id,
      kind: 'CHECKOUT.ORDER.APPROVED',
      orderId: 'order-event',
      paymentRef: ref,
    });
    await expect(read(`${event.body} `)).rejects.toThrow(EventRefused);
    await expect(read(event.body, { 'paypal-cert-url': 'https://evil.test/x' })).rejects.toThrow(
      EventRefused,
    );
    await expect(read(event.body, { 'paypal-auth-algo': 'none' })).rejects.toThrow(EventRefused);
  });

  it('open once when an answer is lost, and report an unavailable provider', async () => {
    const payment = newPayment('lost');
    const connected = paypal();
    await connected.find('NOTHING');
    const before = fake.orders.all.size;
    fake.dropAnswers(1);
    await expect(connected.open(payment)).rejects.toThrow(ProviderUnavailable);
    await connected.open(payment);
    expect(fake.orders.all.size - before).toBe(1);
    await expect(
      paypalPayments({ ...secrets, apiBase: 'http://127.0.0.1:1' }).find('x'),
    ).rejects.toThrow(ProviderUnavailable);
    await expect(
      paypalPayments({ ...secrets, clientSecret: 'wrong', apiBase: fake.url }).find('x'),
    ).rejects.toThrow(ProviderUnavailable);
  });

  it('fetch few certificates for one network, whatever addresses forged events name', async () => {
    const { readEvent, open } = paypal();
    const { ref } = await open(newPayment('forged'));
    fake.orders.approve(ref);
    const event = fake.events.at(-1);
    const headers = event?.headersFor(event.body) ?? {};
    const address = headers['paypal-cert-url'];
    const before = fake.calls.length;
    const read = (more: string, network = '192.0.2.1') =>
      readEvent({
        body: Buffer.from(event?.body ?? ''),
        headers: { ...headers, 'paypal-cert-url': `${address}${more}` },
        network,
      });
    await Promise.all(['', '?1', '#2', ''].map((more) => read(more)));
    expect(fake.calls.length - before).toBe(1);
    const forged = Array.from({ length: 100 }, (_, number) => read(`-${number}`, '192.0.2.66'));
    for (const { status } of await Promise.allSettled(forged)) expect(status).toBe('rejected');
    await expect(read('/../../elsewhere')).rejects.toThrow('not from PayPal');
    expect(fake.calls.length - before).toBe(11);
    await read('');
    await expect(read('-new')).rejects.toThrow('could not be fetched');
    expect(fake.calls.length - before).toBe(12);
  });
});
