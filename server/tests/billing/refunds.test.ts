import { type PaymentProvider, paymentProviders } from '@rowmill/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeStripe } from '../../../fakes/stripe/server.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Standing } from '../../src/domains/billing/port.ts';
import { settlePayment } from '../../src/domains/billing/settle-payment.ts';
import { listPaymentsOfOrder } from '../../src/domains/billing/store/payments.ts';
import { moveCredits } from '../../src/domains/credits/move-credits.ts';
import { findAccount } from '../../src/domains/credits/store.ts';
import { type Person, signedIn } from '../support/people.ts';
import { packCount, packPrice, type Shop, startShop, until } from '../support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});

const pots = async ({ id }: Person) => {
  const account = await findAccount(shop.app.ctx.db, id);
  return {
    available: account?.available ?? 0,
    spent: account?.spent ?? 0,
    owed: account?.owed ?? 0,
  };
};

const spend = (person: Person, amount: number) =>
  moveCredits(shop.app.ctx, {
    userId: person.id,
    from: 'available',
    to: 'spent',
    amount,
    cause: 'test-spending',
  });

/** Every way in which some of these come one after the other: 64 of four, and in 24 of them all four come. */
const arrivals = <T>(items: readonly T[]): T[][] =>
  items.flatMap((item, index) => [
    [item],
    ...arrivals(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  ]);

interface Way {
  order(person: Person): Promise<{ order_id: string; ref: string }>;
  /** It is paid, half of it is refunded, all of it is disputed, and the dispute is won: four events. */
  happen(ref: string): void;
  fake(): Pick<FakeStripe, 'events' | 'sender'>;
}

const ways: Record<PaymentProvider, Way> = {
  card: {
    order: async (person) => {
      const { order_id, client_secret } = await shop.cardOrder(person);
      return { order_id, ref: shop.stripe.intents.get(client_secret).id };
    },
    happen: (ref) => {
      const { intents } = shop.stripe;
      intents.succeed(intents.get(ref));
      intents.refund(ref, packPrice / 2);
      intents.closeDispute(intents.dispute(ref), 'won');
    },
    fake: () => shop.stripe,
  },
  wallet: {
    order: (person) => shop.walletOrder(person),
    happen: (ref) => {
      const { orders } = shop.paypal;
      orders.capture(orders.approve(ref));
      orders.refund(ref, '3.00');
      orders.closeDispute(orders.dispute(ref), true);
    },
    fake: () => shop.paypal,
  },
};

describe.each(paymentProviders)('up to four events of one payment by %s', (provider) => {
  const way = ways[provider];

  /** A payment to which all of that has happened, of which we have not heard. */
  async function untold() {
    const person = await signedIn(shop);
    const { order_id, ref } = await way.order(person);
    const { sender, events } = way.fake();
    sender.isMute = true;
    way.happen(ref);
    sender.isMute = false;
    const ending = async () =>
      JSON.stringify([await pots(person), await shop.status(person, order_id)]);
    return { person, order_id, ref, events: events.slice(-4), ending };
  }

  it('end in the same balance in all of their 24 orders, and when only some of them come', async () => {
    const cases: (Awaited<ReturnType<typeof untold>> & { arrival: number[] })[] = [];
    for (const arrival of arrivals([0, 1, 2, 3])) cases.push({ arrival, ...(await untold()) });
    for (const round of [0, 1, 2, 3]) {
      for (const { arrival, events } of cases) {
        const event = events[arrival[round] ?? events.length];
        if (event) way.fake().sender.send(event);
      }
      await shop.quiet();
    }
    const endings = await Promise.all(cases.map(({ ending }) => ending()));
    expect([cases.length, cases.filter(({ arrival }) => arrival.length === 4).length]).toEqual([
      64, 24,
    ]);
    expect(new Set(endings)).toEqual(
      new Set([JSON.stringify([{ available: 250, spent: 0, owed: 0 }, 'paid'])]),
    );
  });

  it.each([
    { spent: 0, end: [{ available: 250, spent: 0, owed: 0 }, 'paid'] },
    { spent: 400, end: [{ available: 0, spent: 400, owed: 150 }, 'paid'] },
  ])(
    'do so also when each shows how things stood at its time, with $spent submissions spent before',
    async ({ spent, end }) => {
      const endings = new Map<string, Set<string>>();
      for (const arrival of arrivals([0, 1, 2, 3])) {
        const { person, order_id, ref, ending } = await untold();
        const seen = await standings(ref);
        if (spent > 0) {
          await settle(order_id, seen[1]);
          await spend(person, spent);
        }
        for (const index of arrival) {
          await settle(order_id, seen[index]);
          expect((await pots(person)).available).toBeGreaterThanOrEqual(0);
        }
        const which = arrival.toSorted().join();
        endings.set(which, (endings.get(which) ?? new Set()).add(await ending()));
      }
      expect([...endings].filter(([, different]) => different.size > 1)).toEqual([]);
      expect([endings.size, endings.get('0,1,2,3')]).toEqual([15, new Set([JSON.stringify(end)])]);
    },
  );

  /** Declined at first, paid, then refunded and disputed, at last with the dispute won. */
  async function standings(ref: string): Promise<Standing[]> {
    const last = await shop.app.ctx.payments[provider]?.find(ref);
    if (!last) throw new Error('the fake knows its payment');
    const disputed = last.reversals.map((one) =>
      one.kind === 'dispute' ? { ...one, state: 'open' as const } : one,
    );
    const declined = {
      ...last,
      state: 'failed' as const,
      problem: 'It was declined.',
      reversals: [],
    };
    return [declined, { ...last, reversals: [] }, { ...last, reversals: disputed }, last];
  }

  async function settle(orderId: string, standing: Standing | undefined): Promise<void> {
    const [payment] = await listPaymentsOfOrder(shop.app.ctx.db, orderId);
    if (!payment || !standing) throw new Error('there is nothing to settle');
    await inTransaction(shop.app.ctx, (inside) =>
      settlePayment(inside, { orderId, paymentId: payment.id, standing }),
    );
  }
});

describe('what goes back', () => {
  it('is counted together and never more than was granted: parts, a dispute, its end, a refund after it', async () => {
    const person = await signedIn(shop);
    const { order_id, intent } = await shop.bought(person);
    const { intents } = shop.stripe;
    const when = async (act: () => unknown) => {
      act();
      await shop.quiet();
      const { refunded_minor } = (await shop.call('getOrderDetails', { orderId: order_id }, person))
        .body.order;
      return [(await pots(person)).available, await shop.status(person, order_id), refunded_minor];
    };
    expect(await when(() => intents.refund(intent, 180))).toEqual([350, 'paid', 180]);
    expect(await when(() => intents.refund(intent, 180))).toEqual([200, 'paid', 360]);
    let dispute = intents.disputes.at(-1);
    expect(await when(() => (dispute = intents.dispute(intent)))).toEqual([0, 'disputed', 360]);
    expect(await when(() => dispute && intents.closeDispute(dispute, 'won'))).toEqual([
      200,
      'paid',
      360,
    ]);
    expect(await when(() => intents.refund(intent, 240))).toEqual([0, 'refunded', 600]);
    expect(await shop.brokenBooks()).toEqual([]);
  });

  it('is owed when it was spent already, stops new work in words, and is paid by the next purchase', async () => {
    const person = await signedIn(shop);
    const { intent } = await shop.bought(person);
    await spend(person, 450);
    shop.stripe.intents.refund(intent);
    await shop.quiet();
    expect(await pots(person)).toEqual({ available: 0, spent: 450, owed: 450 });
    const refused = await shop.call('askChatGpt', { question: 'What is owed?', query: {} }, person);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({
      code: 'insufficient_credits',
      message: expect.stringContaining('450 submissions are owed'),
    });
    await shop.bought(person);
    expect(await pots(person)).toEqual({ available: 50, spent: 450, owed: 0 });
    expect(
      (await shop.call('askChatGpt', { question: 'What is owed?', query: {} }, person)).status,
    ).toBe(200);
    expect(await shop.brokenBooks()).toEqual([]);
  });

  it('comes back in full when a dispute is won, whatever was bought in between', async () => {
    const person = await signedIn(shop);
    const { intent } = await shop.bought(person);
    await spend(person, 500);
    const dispute = shop.stripe.intents.dispute(intent);
    await shop.quiet();
    await shop.bought(person);
    expect(await pots(person)).toMatchObject({ available: 0, owed: 0 });
    shop.stripe.intents.closeDispute(dispute, 'won');
    await shop.quiet();
    expect(await pots(person)).toMatchObject({ available: packCount, owed: 0 });
  });

  it('returns when a refund fails at the bank', async () => {
    const person = await signedIn(shop);
    const { intent } = await shop.bought(person);
    const refund = shop.stripe.intents.refund(intent, packPrice, 'pending');
    await shop.quiet();
    expect((await pots(person)).available).toBe(0);
    shop.stripe.intents.endRefund(refund, 'failed');
    await shop.quiet();
    expect((await pots(person)).available).toBe(packCount);
  });

  it('ends a plan while its whole price is gone', async () => {
    const person = await signedIn(shop);
    const { order_id, client_secret } = (
      await shop.call('stripeIntent', { plan: { id: 'month' } }, person)
    ).body;
    const intent = shop.stripe.intents.get(client_secret);
    shop.stripe.intents.succeed(intent);
    await shop.call('setPlan', { id: 'month', order_id }, person);
    const hasPlan = async () => (await shop.call('getUserPlan', {}, person)).body.status;
    const dispute = shop.stripe.intents.dispute(intent.id);
    await shop.quiet();
    expect([await hasPlan(), await shop.balance(person)]).toEqual([false, 0]);
    shop.stripe.intents.closeDispute(dispute, 'won');
    await shop.quiet();
    expect([await hasPlan(), await shop.balance(person)]).toEqual([true, 2000]);
  });

  it('works the same for the wallet', async () => {
    const person = await signedIn(shop);
    const { order_id, ref } = await shop.walletOrder(person);
    shop.paypal.orders.approve(ref);
    await until(async () => (await shop.status(person, order_id)) === 'paid');
    shop.paypal.orders.refund(ref, '3.00');
    await until(async () => (await shop.balance(person)) === 250);
    const dispute = shop.paypal.orders.dispute(ref);
    await until(async () => (await shop.status(person, order_id)) === 'disputed');
    shop.paypal.orders.closeDispute(dispute, true);
    await until(async () => (await shop.balance(person)) === 250);
    await shop.quiet();
    expect(await shop.status(person, order_id)).toBe('paid');
  });
});

describe('the books', () => {
  it('are right after all of this', async () => {
    await shop.quiet();
    expect(await shop.brokenBooks()).toEqual([]);
  });
});
