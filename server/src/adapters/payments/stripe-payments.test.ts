import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPayment } from '../../../../fakes/new-payment.ts';
import { type FakeStripe, startFakeStripe } from '../../../../fakes/stripe/server.ts';
import { EventRefused, PaymentRefused, ProviderUnavailable } from '../../domains/billing/port.ts';

import { stripePayments } from './stripe-payments.ts';

const secrets = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x' };
let fake: FakeStripe;
beforeAll(async () => {
  fake = await startFakeStripe(secrets);
});
afterAll(() => fake[Symbol.asyncDispose]());
const stripe = () => stripePayments({ ...secrets, apiBase: fake.url });

describe('Stripe payments', () => {
  it('open once for one payment id, and are found in their present state', async () => {
    const payment = newPayment('once');
    const [open, again] = [await stripe().open(payment), await stripe().open(payment)];
    expect(again).toEqual(open);
    expect(open).toMatchObject({
      clientSecret: expect.stringContaining('_secret'),
      approveUrl: null,
    });
    expect(await stripe().find(open.ref)).toMatchObject({
      state: 'pending',
      problem: null,
      awaitsBuyer: true,
      orderId: payment.orderId,
      userId: payment.userId,
      amountMinor: 1234,
      currency: 'GBP',
      isLive: false,
      reversals: [],
    });
    expect(await stripe().find('pi_nothing')).toBeNull();
  });

  it('fail with the bank’s message, and can still be paid with another card', async () => {
    const { ref } = await stripe().open(newPayment('declined'));
    fake.intents.decline(fake.intents.get(ref), 'card_declined', 'Your card was declined.');
    expect(await stripe().find(ref)).toMatchObject({
      state: 'failed',
      problem: 'Your card was declined.',
    });
    fake.intents.succeed(fake.intents.get(ref));
    expect(await stripe().find(ref)).toMatchObject({
      state: 'paid',
      problem: null,
      amountMinor: 1234,
    });
  });

  it('do not await the buyer while the provider checks them', async () => {
    const { ref } = await stripe().open(newPayment('processing'));
    fake.intents.wait(fake.intents.get(ref), 'processing');
    expect(await stripe().find(ref)).toMatchObject({
      state: 'pending',
      problem: 'The payment provider is still checking this payment.',
      awaitsBuyer: false,
    });
  });

  it('fail for good when cancelled, and return no secret to pay with', async () => {
    const { ref, clientSecret } = await stripe().open(newPayment('cancelled'));
    fake.intents.cancel(fake.intents.get(ref));
    expect(fake.intents.get(ref).client_secret).toBe(clientSecret);
    expect(await stripe().find(ref)).toMatchObject({
      state: 'failed',
      problem: 'This payment was cancelled.',
      clientSecret: null,
    });
  });

  it('list refunds and disputes with their states', async () => {
    const { ref } = await stripe().open(newPayment('reversed'));
    fake.intents.succeed(fake.intents.get(ref));
    fake.intents.refund(ref, 200);
    fake.intents.refund(ref, 300, 'pending');
    fake.intents.refund(ref, 100, 'failed');
    fake.intents.dispute(ref, 400);
    fake.intents.closeDispute(fake.intents.dispute(ref, 50), 'lost');
    fake.intents.closeDispute(fake.intents.dispute(ref, 60), 'won');
    fake.intents.closeDispute(fake.intents.dispute(ref, 70), 'prevented');
    const blocked = fake.intents.dispute(ref, 80);
    blocked.balance_transactions = [];
    fake.intents.closeDispute(blocked, 'prevented');
    const found = await stripe().find(ref);
    expect(
      found?.reversals.map(({ kind, state, amountMinor }) => [kind, state, amountMinor]),
    ).toEqual([
      ['refund', 'taken', 200],
      ['refund', 'open', 300],
      ['refund', 'returned', 100],
      ['dispute', 'open', 400],
      ['dispute', 'taken', 50],
      ['dispute', 'returned', 60],
      ['dispute', 'taken', 70],
      ['dispute', 'returned', 80],
    ]);
  });

  it('are refunded once for a key, and refuse more than what is left', async () => {
    const { ref } = await stripe().open(newPayment('given-back'));
    fake.intents.succeed(fake.intents.get(ref));
    for (let time = 0; time < 2; time++)
      await stripe().refund({ ref, amountMinor: 234, key: 'part' });
    expect((await stripe().find(ref))?.reversals).toMatchObject([
      { kind: 'refund', state: 'taken', amountMinor: 234 },
    ]);
    const more = stripe().refund({ ref, amountMinor: 1234, key: 'more' });
    await expect(more).rejects.toThrow(
      new PaymentRefused('Refund amount (1234) is greater than unrefunded amount on charge (1000)'),
    );
  });

  it('open after a fault, although Stripe repeats the fault for the same key', async () => {
    const payment = newPayment('fault');
    fake.intents.isBroken = true;
    const calls = fake.calls.length;
    for (let time = 0; time < 2; time++)
      await expect(stripe().open(payment)).rejects.toThrow(ProviderUnavailable);
    // The first key, its repetition, and the second key.
    expect(fake.calls.length - calls).toBe(3);
    fake.intents.isBroken = false;
    const before = fake.intents.all.size;
    const [open, again] = await Promise.all([stripe().open(payment), stripe().open(payment)]);
    expect(again).toEqual(open);
    expect(fake.intents.all.size - before).toBe(1);
  });

  it('accept events only with a valid signature', async () => {
    const { ref } = await stripe().open(newPayment('event'));
    fake.intents.succeed(fake.intents.get(ref));
    const { body = '' } = fake.events.at(-1) ?? {};
    const message = (signature: string) => ({
      body: Buffer.from(body),
      headers: { 'stripe-signature': signature },
      network: '192.0.2.1',
    });
    expect(await stripe().readEvent(message(fake.sign(body)))).toMatchObject({
      paymentRef: ref,
      orderId: 'order-event',
    });
    await expect(stripe().readEvent(message(fake.sign(`${body} `)))).rejects.toThrow(EventRefused);
  });

  it('open once when an answer is lost, and report an unavailable provider', async () => {
    const before = fake.intents.all.size;
    fake.dropAnswers(1);
    await stripe().open(newPayment('lost'));
    expect(fake.intents.all.size - before).toBe(1);
    await expect(
      stripePayments({ ...secrets, apiBase: 'http://127.0.0.1:1' }).find('pi_x'),
    ).rejects.toThrow(ProviderUnavailable);
    await expect(
      stripePayments({ ...secrets, secretKey: 'sk_test_wrong', apiBase: fake.url }).find('pi_x'),
    ).rejects.toThrow(ProviderUnavailable);
  });
});

describe('The pages of the fake', () => {
  it.each([
    ['GET', '/challenge?payment=pi_before_the_restart', undefined, 404],
    ['POST', '/challenge', 'payment=pi_before_the_restart&answer=yes', 404],
    ['POST', '/pay', 'no JSON', 500],
  ])('end no process: %s %s', async (method, path, body, status) => {
    const answer = await fetch(fake.url + path, { method, ...(body && { body }) });
    expect(answer.status).toBe(status);
  });
});
