import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPayment } from '../../../fakes/new-payment.ts';
import { type FakeStripe, startFakeStripe } from '../../../fakes/stripe/server.ts';
import { EventRefused, PaymentRefused, ProviderUnavailable } from '../domains/billing/port.ts';

import { stripePayments } from './stripe-payments.ts';

const secrets = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x' };
let fake: FakeStripe;
beforeAll(async () => {
  fake = await startFakeStripe(secrets);
});
afterAll(() => fake[Symbol.asyncDispose]());
const cards = () => stripePayments({ ...secrets, apiBase: fake.url });

describe('card payments by Stripe', () => {
  it('are opened once, however often they are opened, and found as they stand', async () => {
    const payment = newPayment('once');
    const [open, again] = [await cards().open(payment), await cards().open(payment)];
    expect(again).toEqual(open);
    expect(open).toMatchObject({
      clientSecret: expect.stringContaining('_secret'),
      approveUrl: null,
    });
    expect(await cards().find(open.ref)).toMatchObject({
      ...{
        state: 'pending',
        problem: null,
        orderId: payment.orderId,
        userId: payment.userId,
        amountMinor: 1234,
      },
      ...{ currency: 'GBP', isLive: false, reversals: [] },
    });
    expect(await cards().find('pi_nothing')).toBeNull();
  });

  it('fail in the words of the bank, and are paid all the same with another card', async () => {
    const { ref } = await cards().open(newPayment('declined'));
    fake.intents.decline(fake.intents.get(ref), 'card_declined', 'Your card was declined.');
    expect(await cards().find(ref)).toMatchObject({
      state: 'failed',
      problem: 'Your card was declined.',
    });
    fake.intents.succeed(fake.intents.get(ref));
    expect(await cards().find(ref)).toMatchObject({
      state: 'paid',
      problem: null,
      amountMinor: 1234,
    });
  });

  it('fail for good when they are cancelled: their secret pays nothing any more', async () => {
    const { ref, clientSecret } = await cards().open(newPayment('cancelled'));
    fake.intents.cancel(fake.intents.get(ref));
    expect(fake.intents.get(ref).client_secret).toBe(clientSecret);
    expect(await cards().find(ref)).toMatchObject({
      state: 'failed',
      problem: 'This payment was cancelled.',
      clientSecret: null,
    });
  });

  it('show what went back, each with its state', async () => {
    const { ref } = await cards().open(newPayment('reversed'));
    fake.intents.succeed(fake.intents.get(ref));
    fake.intents.refund(ref, 200);
    fake.intents.refund(ref, 300, 'pending');
    fake.intents.refund(ref, 100, 'failed');
    fake.intents.dispute(ref, 400);
    fake.intents.closeDispute(fake.intents.dispute(ref, 50), 'lost');
    fake.intents.closeDispute(fake.intents.dispute(ref, 60), 'won');
    const found = await cards().find(ref);
    expect(
      found?.reversals.map(({ kind, state, amountMinor }) => [kind, state, amountMinor]),
    ).toEqual([
      ['refund', 'taken', 200],
      ['refund', 'open', 300],
      ['refund', 'returned', 100],
      ['dispute', 'open', 400],
      ['dispute', 'taken', 50],
      ['dispute', 'returned', 60],
    ]);
  });

  it('are given back as far as is asked, once for a key, and refused in words beyond what is left', async () => {
    const { ref } = await cards().open(newPayment('given-back'));
    fake.intents.succeed(fake.intents.get(ref));
    for (let time = 0; time < 2; time++)
      await cards().refund({ ref, amountMinor: 234, key: 'part' });
    expect((await cards().find(ref))?.reversals).toMatchObject([
      { kind: 'refund', state: 'taken', amountMinor: 234 },
    ]);
    const more = cards().refund({ ref, amountMinor: 1234, key: 'more' });
    await expect(more).rejects.toThrow(
      new PaymentRefused('Refund amount (1234) is greater than unrefunded amount on charge (1000)'),
    );
  });

  it('are told of by events that prove themselves', async () => {
    const { ref } = await cards().open(newPayment('event'));
    fake.intents.succeed(fake.intents.get(ref));
    const { body = '' } = fake.events.at(-1) ?? {};
    const message = (signature: string) => ({
      body: Buffer.from(body),
      headers: { 'stripe-signature': signature },
    });
    expect(await cards().readEvent(message(fake.sign(body)))).toMatchObject({
      paymentRef: ref,
      orderId: 'order-event',
    });
    await expect(cards().readEvent(message(fake.sign(`${body} `)))).rejects.toThrow(EventRefused);
  });

  it('are not made twice when an answer is lost, and say when nobody answers', async () => {
    const before = fake.intents.all.size;
    fake.dropAnswers(1);
    await cards().open(newPayment('lost'));
    expect(fake.intents.all.size - before).toBe(1);
    await expect(
      stripePayments({ ...secrets, apiBase: 'http://127.0.0.1:1' }).find('pi_x'),
    ).rejects.toThrow(ProviderUnavailable);
    await expect(
      stripePayments({ ...secrets, secretKey: 'sk_test_wrong', apiBase: fake.url }).find('pi_x'),
    ).rejects.toThrow(ProviderUnavailable);
  });
});
