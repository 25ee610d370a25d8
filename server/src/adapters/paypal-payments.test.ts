import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPayment } from '../../../fakes/new-payment.ts';
import { type FakePaypal, startFakePaypal } from '../../../fakes/paypal/server.ts';
import { EventRefused, PaymentRefused, ProviderUnavailable } from '../domains/billing/port.ts';

import { paypalPayments } from './paypal-payments.ts';

const secrets = { clientId: 'id', clientSecret: 'secret', webhookId: 'hook' };
let fake: FakePaypal;
beforeAll(async () => {
  fake = await startFakePaypal(secrets);
});
afterAll(() => fake[Symbol.asyncDispose]());
const wallet = () => paypalPayments({ ...secrets, apiBase: fake.url });

describe('wallet payments by PayPal', () => {
  it('are opened once, approved by the person, and taken once', async () => {
    const payment = newPayment('once');
    const [open, again] = [await wallet().open(payment), await wallet().open(payment)];
    expect(again).toEqual(open);
    expect(open).toMatchObject({
      clientSecret: null,
      approveUrl: expect.stringContaining(open.ref),
      merchant: expect.any(String),
    });
    expect(await wallet().find(open.ref)).toMatchObject({
      state: 'pending',
      amountMinor: 1234,
      currency: 'GBP',
      orderId: payment.orderId,
    });
    await wallet().capture(open.ref);
    expect(await wallet().find(open.ref)).toMatchObject({ state: 'pending' });
    fake.orders.approve(open.ref);
    expect(await wallet().find(open.ref)).toMatchObject({ state: 'approved' });
    for (let time = 0; time < 3; time++) await wallet().capture(open.ref);
    expect(await wallet().find(open.ref)).toMatchObject({
      state: 'paid',
      userId: payment.userId,
      merchant: open.merchant,
    });
    expect(fake.orders.get(open.ref).captures).toHaveLength(1);
    expect(await wallet().find('NOTHING')).toBeNull();
  });

  it('are declined, or wait for the wallet', async () => {
    const declined = await wallet().open(newPayment('declined'));
    fake.orders.approve(declined.ref, 'decline');
    await expect(wallet().capture(declined.ref)).rejects.toThrow(PaymentRefused);
    const { ref } = await wallet().open(newPayment('pending'));
    fake.orders.approve(ref, 'pending');
    await wallet().capture(ref);
    expect(await wallet().find(ref)).toMatchObject({ state: 'pending' });
    fake.orders.endCapture(fake.orders.get(ref), 'DECLINED');
    expect(await wallet().find(ref)).toMatchObject({ state: 'failed' });
  });

  it('show what went back, each with its state', async () => {
    const { ref } = await wallet().open(newPayment('reversed'));
    fake.orders.approve(ref);
    await wallet().capture(ref);
    fake.orders.refund(ref, '2.00');
    fake.orders.dispute(ref);
    fake.orders.closeDispute(fake.orders.dispute(ref), false);
    fake.orders.closeDispute(fake.orders.dispute(ref), true);
    const found = await wallet().find(ref);
    expect(
      found?.reversals.map(({ kind, state, amountMinor }) => [kind, state, amountMinor]),
    ).toEqual([
      ['refund', 'taken', 200],
      ['dispute', 'open', 1234],
      ['dispute', 'taken', 1234],
      ['dispute', 'returned', 1234],
    ]);
  });

  it('are given back as far as is asked, once for a key, and refused in words beyond what is left', async () => {
    const { ref } = await wallet().open(newPayment('given-back'));
    await expect(wallet().refund({ ref, amountMinor: 1234, key: 'none' })).rejects.toThrow(
      PaymentRefused,
    );
    fake.orders.approve(ref);
    await wallet().capture(ref);
    for (let time = 0; time < 2; time++)
      await wallet().refund({ ref, amountMinor: 234, key: 'part' });
    expect((await wallet().find(ref))?.reversals).toMatchObject([
      { kind: 'refund', state: 'taken', amountMinor: 234 },
    ]);
    await expect(wallet().refund({ ref, amountMinor: 1234, key: 'more' })).rejects.toThrow(
      /less than or equal/,
    );
  });

  it('are told of by events that prove themselves', async () => {
    const { ref } = await wallet().open(newPayment('event'));
    fake.orders.approve(ref);
    const event = fake.events.at(-1);
    if (!event) throw new Error('an approval tells of itself');
    const headers = event.headersFor(event.body);
    const read = (body: string, more = {}) =>
      wallet().readEvent({ body: Buffer.from(body), headers: { ...headers, ...more } });
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

  it('are not made twice when an answer is lost, and say when nobody answers', async () => {
    const payment = newPayment('lost');
    const warm = wallet();
    await warm.find('NOTHING');
    const before = fake.orders.all.size;
    fake.dropAnswers(1);
    await expect(warm.open(payment)).rejects.toThrow(ProviderUnavailable);
    await warm.open(payment);
    expect(fake.orders.all.size - before).toBe(1);
    await expect(
      paypalPayments({ ...secrets, apiBase: 'http://127.0.0.1:1' }).find('x'),
    ).rejects.toThrow(ProviderUnavailable);
    await expect(
      paypalPayments({ ...secrets, clientSecret: 'wrong', apiBase: fake.url }).find('x'),
    ).rejects.toThrow(ProviderUnavailable);
  });
});
