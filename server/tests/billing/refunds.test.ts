// size: every refund and dispute of a payment, which share a server and a provider
import { type PaymentMethod, roles } from '@rowmill/contract';
import { afterAll, describe, expect, it } from 'vitest';
import type { FakeStripe } from '../../../fakes/stripe/server.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { applyPaymentSnapshot } from '../../src/domains/billing/payments/apply-snapshot.ts';
import { providerForMethod } from '../../src/domains/billing/payments/providers.ts';
import type { PaymentSnapshot } from '../../src/domains/billing/port.ts';
import { listPaymentsOfOrder } from '../../src/domains/billing/store/payments.ts';
import { getCataloguePlan } from '../../src/domains/catalogue/store.ts';
import { moveCredits } from '../../src/domains/credits/ledger.ts';
import { findAccount } from '../../src/domains/credits/store.ts';
import { day } from '../../src/lib/clock.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { packCount, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser, password, signIn, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const server = await startPaymentServer();
afterAll(server.eventsProcessed);

const buckets = async ({ id }: TestUser) => {
  const account = await findAccount(server.app.ctx.db, id);
  return {
    available: account?.available ?? 0,
    spent: account?.spent ?? 0,
    debt: account?.debt ?? 0,
  };
};

const spend = (person: TestUser, amount: number) =>
  moveCredits(server.app.ctx, {
    userId: person.id,
    from: 'available',
    to: 'spent',
    amount,
    cause: 'test-spending',
  });

/** All orders in which some of these can arrive: 64 for four; 24 contain all four. */
const arrivals = <T>(items: readonly T[]): T[][] =>
  items.flatMap((item, index) => [
    [item],
    ...arrivals(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  ]);

interface Way {
  order(person: TestUser): Promise<{ order_id: string; ref: string }>;
  /** Four webhooks: paid, half refunded, disputed in full, dispute won. */
  happen(ref: string): void;
  fake(): Pick<FakeStripe, 'events' | 'sender'>;
}

const ways: Record<PaymentMethod, Way> = {
  card: {
    order: async (person) => {
      const { order_id, client_secret } = await server.orderByCard(person);
      return { order_id, ref: server.stripe.intents.get(client_secret).id };
    },
    happen: (ref) => {
      const { intents } = server.stripe;
      intents.succeed(intents.get(ref));
      intents.refund(ref, packPrice / 2);
      intents.closeDispute(intents.dispute(ref), 'won');
    },
    fake: () => server.stripe,
  },
  wallet: {
    order: (person) => server.orderByWallet(person),
    happen: (ref) => {
      const { orders } = server.paypal;
      orders.capture(orders.approve(ref));
      orders.refund(ref, '3.00');
      orders.closeDispute(orders.dispute(ref), true);
    },
    fake: () => server.paypal,
  },
};

/** A payment with all of this, whose webhooks were not sent. */
async function withoutWebhooks(way: Way) {
  const person = await createUser(server);
  const { order_id, ref } = await way.order(person);
  const { sender, events } = way.fake();
  sender.isMute = true;
  way.happen(ref);
  sender.isMute = false;
  const ending = async () =>
    JSON.stringify([await buckets(person), await server.orderStatus(person, order_id)]);
  return { person, order_id, ref, events: events.slice(-4), ending };
}

describe('up to four webhooks of one payment', () => {
  it('by card lead to the same balance in all of their 24 orders, and when only some arrive', async () => {
    const all = arrivals([0, 1, 2, 3]);
    expect([all.length, all.filter(({ length }) => length === 4).length]).toEqual([64, 24]);
    await expectSameBalance(ways.card, all);
  });

  // The rest does not differ: a webhook only says that the provider has news.
  it('by wallet lead to the same balance, each alone and each first', async () => {
    await expectSameBalance(ways.wallet, [
      ...[[0], [1], [2], [3]],
      ...[
        [0, 1, 2, 3],
        [1, 0, 3, 2],
        [2, 3, 0, 1],
        [3, 2, 1, 0],
      ],
    ]);
  });

  async function expectSameBalance(way: Way, arrivals: readonly number[][]) {
    const cases: (Awaited<ReturnType<typeof withoutWebhooks>> & { arrival: number[] })[] = [];
    for (const arrival of arrivals) cases.push({ arrival, ...(await withoutWebhooks(way)) });
    for (const round of [0, 1, 2, 3]) {
      for (const { arrival, events } of cases) {
        const event = events[arrival[round] ?? events.length];
        if (event) way.fake().sender.send(event);
      }
      await server.eventsProcessed();
    }
    // One after the other, because PostgreSQL's pool refuses a crowd.
    const endings: string[] = [];
    for (const { ending } of cases) endings.push(await ending());
    expect(new Set(endings)).toEqual(
      new Set([JSON.stringify([{ available: 250, spent: 0, debt: 0 }, 'paid'])]),
    );
  }

  it.each([
    { spent: 0, end: [{ available: 250, spent: 0, debt: 0 }, 'paid'] },
    { spent: 400, end: [{ available: 0, spent: 400, debt: 150 }, 'paid'] },
  ])(
    'lead to the same balance when each brings an old snapshot after $spent submissions were spent',
    async ({ spent, end }) => {
      const endings = new Map<string, Set<string>>();
      for (const arrival of arrivals([0, 1, 2, 3])) {
        const { person, order_id, ref, ending } = await withoutWebhooks(ways.card);
        const seen = await snapshotsOf(ref);
        if (spent > 0) {
          await apply(order_id, seen[1]);
          await spend(person, spent);
        }
        for (const index of arrival) {
          await apply(order_id, seen[index]);
          expect((await buckets(person)).available).toBeGreaterThanOrEqual(0);
        }
        const which = arrival.toSorted().join();
        endings.set(which, (endings.get(which) ?? new Set()).add(await ending()));
      }
      expect([...endings].filter(([, different]) => different.size > 1)).toEqual([]);
      expect([endings.size, endings.get('0,1,2,3')]).toEqual([15, new Set([JSON.stringify(end)])]);
    },
  );

  /** Declined, paid, refunded and disputed, dispute won. */
  async function snapshotsOf(ref: string): Promise<PaymentSnapshot[]> {
    const last = await providerForMethod(server.app.ctx, 'card').find(ref);
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

  async function apply(orderId: string, snapshot: PaymentSnapshot | undefined): Promise<void> {
    const [payment] = await listPaymentsOfOrder(server.app.ctx.db, orderId);
    if (!payment || !snapshot) throw new Error('there is no payment or snapshot');
    await inTransaction(server.app.ctx, (inside) =>
      applyPaymentSnapshot(inside, { orderId, paymentId: payment.id, snapshot }),
    );
  }
});

describe('a refund or dispute', () => {
  it('takes back at most what was granted: partial refunds, a dispute, its end, another refund', async () => {
    const person = await createUser(server);
    const { order_id, intent } = await server.buyByCard(person);
    const { intents } = server.stripe;
    const when = async (act: () => unknown) => {
      act();
      await server.eventsProcessed();
      const { refunded_minor } = (
        await server.call('getOrderDetails', { orderId: order_id }, person)
      ).body.order;
      return [
        (await buckets(person)).available,
        await server.orderStatus(person, order_id),
        refunded_minor,
      ];
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
    await expectLedgerChecksToPass(server);
  });

  it('becomes debt when the submissions are spent, which blocks new work until the next purchase', async () => {
    const admin = await createUser(server, { roleId: roles.admin });
    const person = await createUser(server, { adminId: admin.id });
    const { intent } = await server.buyByCard(person);
    await spend(person, 450);
    server.stripe.intents.refund(intent);
    await server.eventsProcessed();
    expect(await buckets(person)).toEqual({ available: 0, spent: 450, debt: 450 });
    const refused = await server.ask({ question: 'What is owed?', query: {} }, person);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({
      code: 'insufficient_credits',
      message: expect.stringContaining('You owe 450 submissions'),
    });
    const { body } = await server.call('getAvailableCredits', {}, person);
    expect(body).toMatchObject({ creditsAvailable: 0, debt: 450 });
    const operator = await createUser(server, { roleId: roles.operator });
    const shown = await server.call('getPeople', { person_id: person.id, limit: 1 }, operator);
    expect(shown.body.people).toMatchObject([{ creditsAvailable: 0, debt: 450 }]);
    const { users } = (await server.call('userList', {}, admin)).body;
    expect(users).toMatchObject([{ creditsAvailable: 0, debt: 450 }]);
    const file = (await server.upload('Text\none\n', person)).body.file.id;
    const quoted = await server.ask({ query: { file, quote: true } }, person);
    expect(quoted.body.quote).toMatchObject({ debt: 450, blocked: expect.stringContaining('450') });
    const { order_id } = await server.buyByCard(person);
    const confirmed = await server.call('confirmPayment', { order_id }, person);
    expect(confirmed.body).toMatchObject({ creditsAvailable: 50, debt: 0, repaid: 450 });
    const { order } = (await server.call('getOrderDetails', { orderId: order_id }, person)).body;
    const receipt = await server.emailTo(person.email, `Your invoice ${order.number}`);
    expect(receipt.text).toContain('450 of them paid what you owed');
    expect(await buckets(person)).toEqual({ available: 50, spent: 450, debt: 0 });
    expect((await server.ask({ question: 'What is owed?', query: {} }, person)).status).toBe(200);
    await expectLedgerChecksToPass(server);
  });

  it('is returned in full when the dispute is won, whatever was bought in between', async () => {
    const person = await createUser(server);
    const { intent } = await server.buyByCard(person);
    await spend(person, 500);
    const dispute = server.stripe.intents.dispute(intent);
    await server.eventsProcessed();
    const { text } = await server.emailTo(person.email, 'is disputed');
    expect(text).toContain('ask your bank or wallet to withdraw it');
    await server.buyByCard(person);
    expect(await buckets(person)).toMatchObject({ available: 0, debt: 0 });
    server.stripe.intents.closeDispute(dispute, 'won');
    await server.eventsProcessed();
    expect(await buckets(person)).toMatchObject({ available: packCount, debt: 0 });
    expect((await server.emailTo(person.email, 'stands')).text).toContain('submissions back');
    server.stripe.intents.refund(intent, packPrice / 2);
    await server.eventsProcessed();
    const again = server.stripe.intents.dispute(intent);
    await server.eventsProcessed();
    await expect
      .poll(async () => (await server.emailTo(person.email, 'is disputed')).text)
      .toContain('(£3.00 of £6.00) is disputed');
    server.stripe.intents.closeDispute(again, 'lost');
    await server.eventsProcessed();
    const { notifications } = (await server.call('getNotifications', {}, person)).body;
    expect(notifications.map(({ text }) => text)).toEqual([
      'Dispute decided: £3.00 of £6.00 for 500 submissions went back to you, and we keep the submissions that we took back.',
      'Payment disputed: £3.00 of £6.00 for 500 submissions. We took back 250 submissions until it is decided.',
      'Payment refunded: £3.00 of £6.00 for 500 submissions. We took back 250 submissions.',
      'Payment stands: £6.00 for 500 submissions. You have 500 submissions back.',
      'Payment received: 500 submissions.',
      'Payment disputed: £6.00 for 500 submissions. We took back 500 submissions until it is decided.',
      'Payment received: 500 submissions.',
    ]);
  });

  it('is told as a refund, not as another dispute, while a dispute is open', async () => {
    const person = await createUser(server);
    const { intent } = await server.buyByCard(person);
    server.stripe.intents.dispute(intent, packPrice / 3);
    await server.eventsProcessed();
    server.stripe.intents.refund(intent, packPrice / 3);
    await server.eventsProcessed();
    const { notifications } = (await server.call('getNotifications', {}, person)).body;
    expect(notifications[0]?.text).toMatch(/^Payment refunded: £2.00 of £6.00/);
  });

  it('is told by its money: of what is refunded already, or buys no submissions', async () => {
    const person = await createUser(server);
    const told = async () => {
      await server.eventsProcessed();
      const { notifications } = (await server.call('getNotifications', {}, person)).body;
      return notifications.map(({ text }) => text);
    };
    const { intents } = server.stripe;
    const { intent } = await server.buyByCard(person);
    intents.refund(intent);
    const before = await told();
    const dispute = intents.dispute(intent, packPrice);
    await server.eventsProcessed();
    intents.closeDispute(dispute, 'won');
    expect(await told()).toEqual(before);
    const other = await server.buyByCard(person);
    intents.dispute(other.intent);
    await server.eventsProcessed();
    intents.refund(other.intent);
    expect((await told())[0]).toMatch(/^Dispute decided: £6.00 for 500 submissions went back/);

    const operator = await createUser(server, { roleId: roles.operator });
    const terms = { name: 'Access', price_minor: 900, period_days: 30, submissions: 0 };
    const { body } = await server.call(
      'savePlan',
      { ...terms, features: [], highlighted: false, position: 9, is_sold: true },
      operator,
    );
    const plan = { plan: { id: body.plan.id } };
    const order = (await server.call('stripeIntent', plan, person)).body;
    const bought = intents.get(order.client_secret);
    intents.succeed(bought);
    for (const outcome of ['won', 'lost'] as const) {
      const open = intents.dispute(bought.id);
      await server.eventsProcessed();
      intents.closeDispute(open, outcome);
      await server.eventsProcessed();
    }
    expect((await told()).slice(0, 4)).toEqual([
      'Dispute decided: £9.00 for Plan Access went back to you.',
      'Payment disputed: £9.00 for Plan Access. We took back the plan until it is decided.',
      'Payment stands: £9.00 for Plan Access. You have the plan back.',
      'Payment disputed: £9.00 for Plan Access. We took back the plan until it is decided.',
    ]);
  });

  it('is returned when the refund fails at the bank', async () => {
    const person = await createUser(server);
    const { intent } = await server.buyByCard(person);
    const refund = server.stripe.intents.refund(intent, packPrice, 'pending');
    await server.eventsProcessed();
    expect((await buckets(person)).available).toBe(0);
    server.stripe.intents.endRefund(refund, 'failed');
    await server.eventsProcessed();
    expect((await buckets(person)).available).toBe(packCount);
  });

  it('suspends a plan while its whole price is refunded', async () => {
    const person = await createUser(server);
    const { order_id, client_secret } = (
      await server.call('stripeIntent', { plan: { id: 'month' } }, person)
    ).body;
    const intent = server.stripe.intents.get(client_secret);
    server.stripe.intents.succeed(intent);
    await server.call('setPlan', { id: 'month', order_id }, person);
    const hasPlan = async () => (await server.call('getUserPlan', {}, person)).body.status;
    const textTo = async (subject: string) => (await server.emailTo(person.email, subject)).text;
    const dispute = server.stripe.intents.dispute(intent.id);
    await server.eventsProcessed();
    expect([await hasPlan(), await server.balance(person)]).toEqual([false, 0]);
    expect(await textTo('is disputed')).toContain('we took back the plan and the submissions');
    server.stripe.intents.closeDispute(dispute, 'won');
    await server.eventsProcessed();
    expect([await hasPlan(), await server.balance(person)]).toEqual([true, 2000]);
    expect(await textTo('stands')).toContain('You have the plan and the submissions back');
    server.stripe.intents.refund(intent.id, 950);
    await server.eventsProcessed();
    expect(await textTo('credit note')).toContain('We removed the submissions it paid for.');
    server.clock.advance(31 * day);
    server.stripe.intents.refund(intent.id, 950);
    await server.eventsProcessed();
    const again = { token: await signIn(server, person.email) };
    const { notifications } = (await server.call('getNotifications', {}, again)).body;
    // The plan has ended by the time of the last refund.
    expect(notifications.map(({ text }) => text)).toEqual([
      'Payment refunded: £9.50 of £19.00 for Plan Month. We took back 1,000 submissions.',
      'Payment refunded: £9.50 of £19.00 for Plan Month. We took back 1,000 submissions.',
      'Payment stands: £19.00 for Plan Month. You have the plan and 2,000 submissions back.',
      'Payment disputed: £19.00 for Plan Month. We took back the plan and 2,000 submissions until it is decided.',
      'Payment received: Plan Month.',
    ]);
  });

  it('of a plan makes the one that follows current at once, also in the list of clients', async () => {
    const admin = await createUser(server, { roleId: roles.admin });
    const person = await createUser(server, { adminId: admin.id });
    const refs: string[] = [];
    for (const id of ['month', 'year']) {
      const plan = { plan: { id } };
      const { order_id, client_secret } = (await server.call('stripeIntent', plan, person)).body;
      const intent = server.stripe.intents.get(client_secret);
      server.stripe.intents.succeed(intent);
      await server.call('setPlan', { id, order_id }, person);
      refs.push(intent.id);
    }
    const news = async () =>
      (await server.call('getNotifications', {}, admin)).body.notifications.map(({ text }) => text);
    expect(await news()).toEqual([]);
    const current = async () => {
      const { plan } = (await server.call('getUserPlan', {}, person)).body;
      const [listed] = (await server.call('userList', {}, admin)).body.users;
      expect(listed?.plan ?? null).toBe(plan?.name ?? null);
      return plan?.id;
    };
    expect(await current()).toBe('month');
    const yearHolders = async () =>
      (await getCataloguePlan(server.app.ctx.db, { id: 'year', now: server.clock.now() })).holders;
    const before = await yearHolders();
    const dispute = server.stripe.intents.dispute(refs[0] ?? '');
    await server.eventsProcessed();
    expect(await current()).toBe('year');
    expect(await yearHolders()).toBe(before + 1);
    server.stripe.intents.closeDispute(dispute, 'won');
    await server.eventsProcessed();
    expect(await current()).toBe('month');
    expect(await news()).toEqual([
      'Pat Person has the plan and 2,000 submissions back: a disputed payment stands.',
      'Pat Person lost the plan and 2,000 submissions: a payment was refunded or disputed.',
    ]);
    for (const ref of refs) server.stripe.intents.dispute(ref);
    await server.eventsProcessed();
    expect(await current()).toBeUndefined();
    expect(await news()).toHaveLength(4);
    // A deleted person is named nowhere.
    const deletion = { current_password: password };
    expect((await server.call('deleteUserAccount', deletion, person)).status).toBe(200);
    expect(await news()).toEqual([]);
  });

  it('works the same by wallet', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.approve(ref);
    await until(async () => (await server.orderStatus(person, order_id)) === 'paid');
    server.paypal.orders.refund(ref, '3.00');
    await until(async () => (await server.balance(person)) === 250);
    const dispute = server.paypal.orders.dispute(ref);
    await until(async () => (await server.orderStatus(person, order_id)) === 'disputed');
    server.paypal.orders.closeDispute(dispute, true);
    await until(async () => (await server.balance(person)) === 250);
    await server.eventsProcessed();
    expect(await server.orderStatus(person, order_id)).toBe('paid');
    const settled = server.paypal.orders.dispute(ref);
    await until(async () => (await server.balance(person)) === 0);
    server.paypal.orders.closeDispute(settled, false, '1.50');
    await until(async () => (await server.balance(person)) === 125);
  });

  it('by wallet has one credit note for a lost dispute that is listed as a refund later', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    server.paypal.orders.approve(ref);
    await until(async () => (await server.orderStatus(person, order_id)) === 'paid');
    const notes = async () => {
      await server.eventsProcessed();
      const { body } = await server.call('getOrderDetails', { orderId: order_id }, person);
      return body.credit_notes.map(({ total_minor }) => total_minor).toSorted((a, b) => a - b);
    };
    server.paypal.orders.closeDispute(server.paypal.orders.dispute(ref), false, '1.50');
    const { refunds } = server.paypal.orders.get(ref);
    const listedLater = refunds.splice(0);
    expect(await notes()).toEqual([150]);
    refunds.push(...listedLater);
    server.paypal.orders.refund(ref, '0.60');
    expect(await notes()).toEqual([60, 150]);
  });
});
