import { type EndpointName, endpoints, roles } from '@rowmill/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { fulfilOrder } from '../../src/domains/billing/payments/fulfil-order.ts';
import { BatchClient } from '../support/batches.ts';
import { packCount, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser } from '../support/users.ts';
import { retryWhileBusy, until } from '../support/waiting.ts';

const server = await startPaymentServer({ LOG_LEVEL: 'silent', CHAT_BASE_URL: 'demo' });
afterAll(server.eventsProcessed);
const operator = await createUser(server, { roleId: roles.operator });

const reason = 'The bank took a fee';

/** A card payment of a wrong amount and its review. */
async function shortPayment(received = packPrice - 50) {
  const person = await createUser(server);
  const { order_id, client_secret } = await server.orderByCard(person);
  const intent = server.stripe.intents.get(client_secret);
  server.stripe.intents.succeed(intent, received);
  await server.call('confirmPayment', { order_id }, person);
  return { person, order_id, intent: intent.id, review: await reviewOf(order_id) };
}

async function reviewOf(order_id: string) {
  const { reviews } = (await server.call('getReviews', { search: order_id }, operator)).body;
  return reviews.find((review) => review.order_id === order_id);
}

const decide = (payment_id: string | undefined, decision: 'accept' | 'refuse' | 'given_back') =>
  server.call('decideReview', { payment_id: payment_id ?? '', decision, reason }, operator);

/** The calls that list what a person or an operator has, one page at a time. */
const lists = Object.entries(endpoints).filter(([, { request, answer }]) => {
  const has = (object: unknown, name: string) =>
    name in ((object as { shape?: object }).shape ?? {});
  return has(request, 'start') && has(answer, 'total') && !has(request, 'id');
}) as [EndpointName, unknown][];

it('states the total of each list also beyond its end', async () => {
  const { person } = await shortPayment();
  await createUser(server, { adminId: operator.id });
  const client = await BatchClient.create(server, 5);
  await client.whenEnded((await client.start(['spoon'])).id);
  await server.ask({ question: 'spoon' }, client.user);
  const pack = { name: 'Pack', count: 100, rate_minor: 150, position: 9, is_sold: true };
  await server.call('savePack', pack, operator);
  for (const [name] of lists)
    for (const search of ['', 's']) {
      const totals = async (start: number) => {
        const answers = [];
        for (const who of [person, client.user, operator]) {
          const { body } = await server.call(name, { start, limit: 1, search }, who);
          answers.push((body as { total?: number }).total ?? 0);
        }
        return answers;
      };
      const found = await totals(0);
      expect(Math.max(...found), name).toBeGreaterThan(0);
      expect(await totals(2_000), `${name} ${search}`).toEqual(found);
    }
});

describe('a payment in review', () => {
  it('is shown with the expected and the paid amount, the order and the buyer', async () => {
    const { person, review, intent } = await shortPayment();
    expect(review).toMatchObject({
      person: { id: person.id, name: 'Pat Person', email: person.email },
      description: expect.stringContaining('500 submissions'),
      submissions: packCount,
      provider: 'card',
      provider_ref: intent,
      expected: { amount_minor: packPrice, currency: 'GBP' },
      came: { amount_minor: packPrice - 50, currency: 'GBP', refunded_minor: 0, is_live: false },
      differs: ['amount'],
      can_accept: true,
    });
    const { reviews, total } = (
      await server.call('getReviews', { search: person.email, limit: 1 }, operator)
    ).body;
    expect([total, reviews[0]?.payment_id]).toEqual([1, review?.payment_id]);
  });

  it('is shown while the provider does not know it, but cannot be accepted', async () => {
    const { order_id, review, intent } = await shortPayment();
    server.stripe.intents.all.delete(intent);
    expect(await reviewOf(order_id)).toMatchObject({ came: null, differs: [], can_accept: false });
    expect((await decide(review?.payment_id, 'accept')).body.code).toBe('not_now');
    expect((await decide(review?.payment_id, 'refuse')).status).toBe(200);
    await until(async () => (await reviewOf(order_id))?.give_back_problem !== null);
    expect(await reviewOf(order_id)).toMatchObject({
      give_back_problem: expect.stringContaining('no longer knows'),
    });
  });

  it('grants what was ordered once when it is accepted, with invoice, receipt and audit entry', async () => {
    const { person, order_id, review } = await shortPayment();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => retryWhileBusy(() => decide(review?.payment_id, 'accept'))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    await server.eventsProcessed();
    await fulfilOrder(server.app.ctx, order_id);
    expect(await server.balance(person)).toBe(packCount);
    const { order } = (await server.call('getOrderDetails', { orderId: order_id }, person)).body;
    expect(order).toMatchObject({
      payment_status: 'paid',
      problem: null,
      number: expect.stringContaining('INV-'),
    });
    await server.emailTo(person.email, 'Your invoice');
    const { entries } = (await server.call('getAuditLog', { search: person.id }, operator)).body;
    expect(entries.find(({ act }) => act === 'payment_accepted')).toMatchObject({
      actor: { id: operator.id },
      subject: { id: person.id },
      detail: { order: order_id, payment: review?.payment_id, reason },
    });
    expect(await reviewOf(order_id)).toBeUndefined();
  });

  it.each([
    ['less', packPrice - 50],
    ['more', packPrice + 50],
  ])(
    'of %s than was ordered is refunded like any other after it is accepted',
    async (_, received) => {
      const { person, order_id, review, intent } = await shortPayment(received);
      await decide(review?.payment_id, 'accept');
      server.stripe.intents.refund(intent, received / 2);
      await server.eventsProcessed();
      expect(await server.balance(person)).toBe(packCount / 2);
      expect(await server.orderStatus(person, order_id)).toBe('paid');
      server.stripe.intents.refund(intent, received / 2);
      await server.eventsProcessed();
      expect(await server.balance(person)).toBe(0);
      expect(await server.orderStatus(person, order_id)).toBe('refunded');
      const documents = await server.app.ctx.db
        .selectFrom('invoices')
        .select(['series', 'total_minor'])
        .where('order_id', '=', order_id)
        .orderBy('number')
        .execute();
      expect(documents).toEqual([
        { series: 'CN', total_minor: packPrice / 2 },
        { series: 'CN', total_minor: packPrice / 2 },
        { series: 'INV', total_minor: packPrice },
      ]);
    },
  );

  it('that is disputed is among the open disputes, before and after it is rejected', async () => {
    const { order_id, review, intent } = await shortPayment();
    const openDisputes = async () => {
      await server.eventsProcessed();
      const { disputed } = (await server.call('getOverview', {}, operator)).body;
      return disputed.map(({ ref }) => ref);
    };
    const early = server.stripe.intents.dispute(intent);
    expect(await openDisputes()).toContain(early.id);
    server.stripe.intents.closeDispute(early, 'won');
    expect(await openDisputes()).not.toContain(early.id);
    await decide(review?.payment_id, 'refuse');
    await until(async () => (await reviewOf(order_id)) === undefined);
    const late = server.stripe.intents.dispute(intent);
    expect(await openDisputes()).toContain(late.id);
    server.stripe.intents.closeDispute(late, 'won');
    expect(await openDisputes()).not.toContain(late.id);
  });

  it('grants nothing when it is refused, and stays refused whatever webhooks arrive', async () => {
    const { person, order_id, review, intent } = await shortPayment();
    expect((await decide(review?.payment_id, 'refuse')).body.message).toContain('rejected');
    await until(async () => (await reviewOf(order_id)) === undefined);
    server.stripe.intents.refund(intent);
    await server.eventsProcessed();
    await fulfilOrder(server.app.ctx, order_id);
    expect((await server.call('confirmPayment', { order_id }, person)).body).toMatchObject({
      payment_status: 'refunded',
      problem: expect.stringContaining('was not accepted'),
      creditsAvailable: 0,
    });
    expect((await server.call('buyCredits', { order_id }, person)).body.code).toBe('not_paid');
    expect((await server.call('resumePayment', { order_id }, person)).body.code).toBe('not_now');
    expect((await server.call('getPayments', {}, person)).body.payments).toMatchObject([
      { payment_status: 'refunded' },
    ]);
    expect((await server.emailTo(person.email, 'was not accepted')).text).toContain(
      'We refunded the money',
    );
    const { entries } = (await server.call('getActivity', {}, person)).body;
    expect(entries.map(({ what }) => what)).toContain(
      `rejected a payment that did not match its order: ${reason}`,
    );
    expect((await decide(review?.payment_id, 'accept')).body.code).toBe('not_now');
  });
});

describe('a second payment of an order', () => {
  it('can only be refused, and the order stays paid', async () => {
    const person = await createUser(server);
    const { order_id } = await server.buyByCard(person);
    const other = await server.orderByCard(person);
    const intent = server.stripe.intents.get(other.client_secret);
    const { db } = server.app.ctx;
    // Moves the paid payment of another order to this one, which then has two.
    await db
      .updateTable('payments')
      .set({ order_id, attempt: 2 })
      .where('provider_ref', '=', intent.id)
      .execute();
    Object.assign(intent.metadata, { order_id });
    server.stripe.intents.succeed(intent);
    await server.eventsProcessed();
    await fulfilOrder(server.app.ctx, order_id);
    const review = await reviewOf(order_id);
    expect(review).toMatchObject({ differs: ['paid twice'], can_accept: false });
    expect((await decide(review?.payment_id, 'accept')).body.message).toContain(
      'already paid by another payment',
    );
    await decide(review?.payment_id, 'refuse');
    const told = await server.emailTo(person.email, 'was not accepted');
    expect(told.text).toContain('Your order of 500 submissions was paid twice');
    const { notifications } = (await server.call('getNotifications', {}, person)).body;
    expect(notifications[0]?.text).toBe(
      'Paid twice: 500 submissions. We refunded the second payment.',
    );
    expect(await server.orderStatus(person, order_id)).toBe('paid');
    expect(await server.balance(person)).toBe(packCount);
  });
});
