import { type PaymentMethod, paymentMethods, roles } from '@rowmill/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { reconcileOrders } from '../../src/domains/billing/payments/reconcile-orders.ts';
import { refundPayment } from '../../src/domains/billing/payments/refund-payment.ts';
import { packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const server = await startPaymentServer({ LOG_LEVEL: 'silent' });
afterAll(server.eventsProcessed);
const operator = await createUser(server, { roleId: roles.operator });

interface Way {
  /** Makes an order and pays a wrong amount. */
  pay(person: TestUser): Promise<{ order_id: string; ref: string }>;
  /** The amounts of the provider's refunds in minor units. */
  refunds(ref: string): number[];
  /** Refunds at the provider itself, as in its dashboard. */
  refund(ref: string, minor: number): void;
  /** Disputes it in full. The returned function ends that: the payment stands. */
  dispute(ref: string): () => void;
  refuse(reason: string | null): void;
  refundCalls(): number;
  loseAnswers(count: number): void;
  paidMinor: number;
}

const ways: Record<PaymentMethod, Way> = {
  card: {
    pay: async (person) => {
      const { order_id, client_secret } = await server.orderByCard(person);
      const intent = server.stripe.intents.get(client_secret);
      server.stripe.intents.succeed(intent, packPrice - 50);
      return { order_id, ref: intent.id };
    },
    refunds: (ref) =>
      server.stripe.intents.refunds
        .filter((one) => one.payment_intent === ref)
        .map(({ amount }) => amount),
    refund: (ref, minor) => server.stripe.intents.refund(ref, minor),
    dispute: (ref) => {
      const dispute = server.stripe.intents.dispute(ref);
      return () => server.stripe.intents.closeDispute(dispute, 'won');
    },
    refuse: (reason) => {
      server.stripe.intents.refundRefusal = reason;
    },
    refundCalls: () =>
      server.stripe.calls.filter(({ method, path }) => method === 'POST' && path === '/v1/refunds')
        .length,
    loseAnswers: (count) => server.stripe.dropAnswers(count),
    paidMinor: packPrice - 50,
  },
  wallet: {
    pay: async (person) => {
      const { order_id, ref } = await server.orderByWallet(person);
      server.paypal.orders.approve(ref, 'wrong_amount');
      return { order_id, ref };
    },
    refunds: (ref) =>
      server.paypal.orders
        .get(ref)
        .refunds.map(({ amount }) => Math.round(Number(amount.value) * 100)),
    refund: (ref, minor) => void server.paypal.orders.refund(ref, (minor / 100).toFixed(2)),
    dispute: (ref) => {
      const dispute = server.paypal.orders.dispute(ref);
      return () => server.paypal.orders.closeDispute(dispute, true);
    },
    refuse: (reason) => {
      server.paypal.orders.refundRefusal = reason;
    },
    refundCalls: () => server.paypal.calls.filter(({ path }) => path.endsWith('/refund')).length,
    loseAnswers: (count) => server.paypal.dropAnswers(count),
    paidMinor: 1,
  },
};

async function reviewOf(order_id: string) {
  return (await server.call('getReviews', { search: order_id }, operator)).body.reviews.find(
    (one) => one.order_id === order_id,
  );
}

const decide = (
  payment_id: string,
  decision: 'accept' | 'refuse' | 'given_back',
  reason = 'Not as ordered',
) => server.call('decideReview', { payment_id, decision, reason }, operator);

describe.each(paymentMethods)('a refused payment by %s', (provider) => {
  const way = ways[provider];

  /** In review, with the payment's own id. */
  async function inReview() {
    const person = await createUser(server);
    const { order_id, ref } = await way.pay(person);
    await server.call('confirmPayment', { order_id }, person);
    const payment_id = (await reviewOf(order_id))?.payment_id ?? '';
    return { person, order_id, ref, payment_id };
  }
  const isClosed = (order_id: string) => async () => (await reviewOf(order_id)) === undefined;

  it('is refunded in full once through the provider, and its webhook changes nothing', async () => {
    const { person, order_id, ref, payment_id } = await inReview();
    expect((await decide(payment_id, 'refuse')).body.message).toContain('money is being refunded');
    await until(isClosed(order_id));
    await server.eventsProcessed();
    await Promise.all([
      refundPayment(server.app.ctx, payment_id),
      refundPayment(server.app.ctx, payment_id),
      reconcileOrders(server.app.ctx),
    ]);
    expect(way.refunds(ref)).toEqual([way.paidMinor]);
    expect(await server.orderStatus(person, order_id)).toBe('refunded');
    expect(await server.balance(person)).toBe(0);
    expect((await server.emailTo(person.email, 'was not accepted')).text).toContain(
      'We refunded the money',
    );
    const { notifications } = (await server.call('getNotifications', {}, person)).body;
    expect(notifications.map(({ text }) => text)).toEqual([
      'Payment not accepted: 500 submissions. We refunded the money.',
    ]);
  });

  it('is refunded once when several try at once, answers are lost or the process died after the decision', async () => {
    const { order_id, ref, payment_id } = await inReview();
    const { ctx } = server.app;
    // Otherwise the job of an event may refund it already, or lose the answers and run again
    // only when it is polled for.
    await server.eventsProcessed();
    // The state after the process died between the decision and its job.
    await ctx.db
      .updateTable('payments')
      .set({ refused_at: ctx.clock.now() })
      .where('id', '=', payment_id)
      .execute();
    way.loseAnswers(2);
    await Promise.allSettled(Array.from({ length: 5 }, () => refundPayment(ctx, payment_id)));
    await reconcileOrders(ctx);
    await until(isClosed(order_id));
    expect(way.refunds(ref)).toEqual([way.paidMinor]);
  });

  it('is not refunded again when the operator refunded it at the provider', async () => {
    const { order_id, ref, payment_id } = await inReview();
    way.refund(ref, way.paidMinor);
    await server.eventsProcessed();
    const before = way.refundCalls();
    await decide(payment_id, 'refuse');
    await until(isClosed(order_id));
    expect([way.refunds(ref), way.refundCalls()]).toEqual([[way.paidMinor], before]);
  });

  it('says to operator and buyer that a dispute is open, and is refunded once it is won', async () => {
    const { person, order_id, ref, payment_id } = await inReview();
    const problem = async () =>
      (await server.call('getOrderDetails', { orderId: order_id }, person)).body.order.problem;
    expect((await reviewOf(order_id))?.came?.disputed_minor).toBe(0);
    const end = way.dispute(ref);
    await server.eventsProcessed();
    expect((await reviewOf(order_id))?.came).toMatchObject({
      refunded_minor: 0,
      disputed_minor: way.paidMinor,
    });
    expect(await problem()).toBe(
      'We are checking this payment and will email you. It is disputed.',
    );
    await decide(payment_id, 'refuse');
    await until(
      async () => (await problem())?.includes('what the dispute does not return') ?? false,
    );
    end();
    await until(isClosed(order_id));
    expect(way.refunds(ref)).toEqual([way.paidMinor]);
  });

  it('shows the provider’s reason when it refuses, is retried, and can be refunded there or elsewhere', async () => {
    const [again, there, otherwise] = [await inReview(), await inReview(), await inReview()];
    way.refuse('Your balance is too low.');
    for (const { payment_id, order_id, person } of [again, there, otherwise]) {
      expect((await decide(payment_id, 'given_back')).body.code).toBe('not_now');
      await decide(payment_id, 'refuse');
      await until(
        async () => (await reviewOf(order_id))?.give_back_problem === 'Your balance is too low.',
      );
      expect(await reviewOf(order_id)).toMatchObject({
        can_accept: false,
        refused_at: expect.any(String),
      });
      expect((await decide(payment_id, 'accept')).body.code).toBe('not_now');
      expect((await decide(payment_id, 'refuse')).body.code).toBe('not_now');
      const { order } = (await server.call('getOrderDetails', { orderId: order_id }, person)).body;
      expect(order).toMatchObject({
        payment_status: 'review',
        problem: expect.stringContaining('We are refunding it'),
      });
    }
    way.refund(there.ref, way.paidMinor);
    await server.eventsProcessed();
    await until(isClosed(there.order_id));
    expect((await decide(otherwise.payment_id, 'given_back', 'By bank transfer')).status).toBe(200);
    expect(await server.orderStatus(otherwise.person, otherwise.order_id)).toBe('refunded');
    const { entries } = (await server.call('getActivity', {}, otherwise.person)).body;
    expect(entries.map(({ what }) => what)).toContain(
      'returned a rejected payment another way: By bank transfer',
    );
    way.refuse(null);
    await reconcileOrders(server.app.ctx);
    expect(await isClosed(again.order_id)()).toBe(true);
    expect([again, there, otherwise].map(({ ref }) => way.refunds(ref))).toEqual([
      [way.paidMinor],
      [way.paidMinor],
      [],
    ]);
  });
});
