import { describe, expect, it } from 'vitest';
import { fulfilRecentOrders } from '../../src/domains/billing/payments/fulfil-order.ts';
import { reconcileOrders } from '../../src/domains/billing/payments/reconcile-orders.ts';
import { insertEvent } from '../../src/domains/billing/store/events.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { packCount, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser, signIn, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const day = 86_400_000;
let person: TestUser;
const server = await startPaymentServer();
person = await createUser(server);

/** Acts while webhooks are muted. Earlier ones are processed first: they would report this too. */
async function withoutWebhooks(act: () => unknown): Promise<void> {
  await server.eventsProcessed();
  const senders = [server.stripe.sender, server.paypal.sender];
  for (const sender of senders) sender.isMute = true;
  await act();
  for (const sender of senders) sender.isMute = false;
}

/** Only this run uses the advanced clock, so no session expires. */
function reconcileAfter(days: number): Promise<void> {
  const { ctx } = server.app;
  return reconcileOrders({
    ...ctx,
    clock: { now: () => new Date(ctx.clock.now().getTime() + days * day) },
  });
}

describe('a paid order without webhooks', () => {
  it('shows a refund and a dispute by the next day', async () => {
    const { order_id, intent } = await server.buyByCard(person);
    await withoutWebhooks(() => server.stripe.intents.refund(intent, packPrice / 2));
    await reconcileAfter(0.5);
    expect(await server.balance(person)).toBe(packCount);
    await reconcileAfter(1.1);
    expect(await server.balance(person)).toBe(packCount / 2);
    await withoutWebhooks(() => server.stripe.intents.dispute(intent, packPrice / 2));
    await reconcileAfter(2.2);
    expect([await server.balance(person), await server.orderStatus(person, order_id)]).toEqual([
      0,
      'disputed',
    ]);
  });

  it('by wallet shows a refund by the next day', async () => {
    const buyer = await createUser(server);
    const { ref } = await server.orderByWallet(buyer);
    server.paypal.orders.approve(ref);
    await until(async () => (await server.balance(buyer)) === packCount);
    await withoutWebhooks(() => server.paypal.orders.refund(ref));
    await reconcileAfter(1.1);
    expect(await server.balance(buyer)).toBe(0);
  });

  it('by wallet is asked about again in an hour when one of its disputes cannot be read', async () => {
    const buyer = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(buyer);
    const { orders } = server.paypal;
    orders.approve(ref);
    await until(async () => (await server.balance(buyer)) === packCount);
    await withoutWebhooks(() => {
      const won = orders.dispute(ref);
      orders.closeDispute(won, true);
      orders.unreadable.add(won.dispute_id);
      orders.refund(ref, '3.00');
    });
    await reconcileAfter(1.1);
    expect(await server.balance(buyer)).toBe(packCount / 2);
    await withoutWebhooks(() => orders.dispute(ref));
    await reconcileAfter(1.12);
    expect(await server.orderStatus(buyer, order_id)).toBe('paid');
    await reconcileAfter(1.2);
    expect(await server.orderStatus(buyer, order_id)).toBe('disputed');
    orders.unreadable.clear();
  });

  it('shows the dispute of a stored event whose job gave up', async () => {
    const buyer = await createUser(server);
    const { order_id, intent } = await server.buyByCard(buyer);
    await withoutWebhooks(() => server.stripe.intents.dispute(intent));
    await server.app.ctx.db
      .insertInto('provider_events')
      .values({
        provider: 'stripe',
        event_id: 'evt_given_up',
        kind: 'charge.dispute.created',
        hint: JSON.stringify({ orderId: null, paymentRef: intent }),
        received_at: server.app.ctx.clock.now(),
      })
      .execute();
    await reconcileAfter(0);
    expect(await server.orderStatus(buyer, order_id)).toBe('paid');
    await reconcileAfter(0.05);
    expect(await server.orderStatus(buyer, order_id)).toBe('disputed');
  });

  it('is checked once a day for two months', async () => {
    const buyer = await createUser(server);
    const { intent } = await server.buyByCard(buyer);
    const asked = () =>
      server.stripe.calls.filter(({ path }) => path === `/v1/payment_intents/${intent}`).length;
    await reconcileAfter(1.1);
    const before = asked();
    await reconcileAfter(1.9);
    await reconcileAfter(61);
    expect(asked()).toBe(before);
  });
});

describe('an unpaid order without webhooks', () => {
  it('shows a second card after the first was declined', async () => {
    const buyer = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(buyer);
    const intent = server.stripe.intents.get(client_secret);
    server.stripe.intents.decline(intent, 'card_declined', 'Your card was declined.');
    await server.eventsProcessed();
    expect(await server.orderStatus(buyer, order_id)).toBe('failed');
    await withoutWebhooks(() => server.stripe.intents.succeed(intent));
    await reconcileAfter(0);
    expect([await server.orderStatus(buyer, order_id), await server.balance(buyer)]).toEqual([
      'paid',
      packCount,
    ]);
  });

  it('shows a new attempt days later, and an earlier one does not fail the order', async () => {
    const buyer = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(buyer);
    const { intents } = server.stripe;
    const first = intents.get(client_secret);
    await server.app.ctx.db
      .updateTable('orders')
      .set({ created_at: new Date(server.app.ctx.clock.now().getTime() - 3 * day) })
      .where('id', '=', order_id)
      .execute();
    intents.all.delete(first.id);
    const second = (await server.call('resumePayment', { order_id }, buyer)).body.client_secret;
    expect(await server.orderStatus(buyer, order_id)).toBe('pending');
    intents.all.set(first.id, first);
    intents.decline(first, 'card_declined', 'Your card was declined.');
    await server.eventsProcessed();
    await reconcileAfter(0);
    expect(await server.orderStatus(buyer, order_id)).toBe('pending');
    await withoutWebhooks(() => intents.succeed(intents.get(second ?? '')));
    await reconcileAfter(0);
    expect(await server.orderStatus(buyer, order_id)).toBe('paid');
  });

  it('waits for a provider that checks the payment for days, and asks it less and less often', async () => {
    const buyer = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(buyer);
    const other = await createUser(server);
    const card = await server.orderByCard(other);
    const { intents } = server.stripe;
    server.paypal.orders.approve(ref, 'pending');
    intents.wait(intents.get(card.client_secret), 'processing');
    await server.eventsProcessed();
    const states = () =>
      Promise.all([server.orderStatus(buyer, order_id), server.orderStatus(other, card.order_id)]);
    const asked = () =>
      server.paypal.calls.filter(({ path }) => path === `/v2/checkout/orders/${ref}`).length;
    const before = asked();
    await reconcileAfter(20);
    expect([await states(), asked()]).toEqual([['pending', 'pending'], before + 1]);
    await reconcileAfter(20.5);
    expect(asked()).toBe(before + 1);
    await withoutWebhooks(() => {
      server.paypal.orders.endCapture(server.paypal.orders.get(ref), 'COMPLETED');
    });
    await reconcileAfter(29);
    expect([await states(), await server.balance(buyer)]).toEqual([['paid', 'pending'], packCount]);
    await reconcileAfter(31);
    expect(await states()).toEqual(['paid', 'failed']);
  });

  it('is checked while more orders than a round takes wait for another provider', async () => {
    const buyer = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(buyer);
    const { db } = server.app.ctx;
    const order = await db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', order_id)
      .executeTakeFirstOrThrow();
    const payment = await db
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', order_id)
      .executeTakeFirstOrThrow();
    for (let copy = 0; copy < 100; copy++) {
      const id = `${order_id}-${copy}`;
      const billing_address = JSON.stringify(order.billing_address);
      await db
        .insertInto('orders')
        .values({ ...order, id, billing_address, order_key: null, checked_at: null })
        .execute();
      await db
        .insertInto('payments')
        .values({ ...payment, id, order_id: id, provider_ref: `${ref}-${copy}` })
        .execute();
    }
    const { order_id: byCard, client_secret } = await server.orderByCard(buyer);
    await withoutWebhooks(() =>
      server.stripe.intents.succeed(server.stripe.intents.get(client_secret)),
    );
    await db
      .updateTable('orders')
      .set({ checked_at: new Date() })
      .where('id', '=', byCard)
      .execute();
    server.paypal.dropAnswers(20);
    await reconcileAfter(0);
    server.paypal.dropAnswers(0);
    expect(await server.orderStatus(buyer, byCard)).toBe('paid');
    await db.deleteFrom('payments').where('id', 'like', `${order_id}-%`).execute();
    await db.deleteFrom('orders').where('id', 'like', `${order_id}-%`).execute();
  });

  it('causes no further calls to a provider that does not respond', async () => {
    const buyer = await createUser(server);
    await withoutWebhooks(async () => {
      for (let order = 0; order < 3; order++) await server.orderByWallet(buyer);
    });
    const { calls } = server.paypal;
    const before = calls.length;
    server.paypal.dropAnswers(20);
    await reconcileAfter(0);
    server.paypal.dropAnswers(0);
    expect(new Set(calls.slice(before).map(({ path }) => path)).size).toBe(1);
    await reconcileAfter(0);
    await expectLedgerChecksToPass(server);
  });

  it('is credited while another provider does not respond, which is asked about one event only', async () => {
    const buyer = await createUser(server);
    const intents = [];
    for (let order = 0; order < 3; order++) intents.push((await server.buyByCard(buyer)).intent);
    const { ref, order_id } = await server.orderByWallet(buyer);
    await withoutWebhooks(() => server.paypal.orders.approve(ref));
    for (const paymentRef of intents)
      await insertEvent(server.app.ctx.db, {
        provider: 'stripe',
        eventId: `late-${paymentRef}`,
        kind: 'charge.refunded',
        hint: { orderId: null, paymentRef },
        now: server.app.ctx.clock.now(),
        isDone: false,
      });
    const { calls } = server.stripe;
    const before = calls.length;
    server.stripe.dropAnswers(100);
    await reconcileAfter(0.1);
    server.stripe.dropAnswers(0);
    expect(new Set(calls.slice(before).map(({ path }) => path)).size).toBe(1);
    expect(await server.orderStatus(buyer, order_id)).toBe('paid');
    await reconcileAfter(0.1);
    await expectLedgerChecksToPass(server);
  });
});

describe('an order that is paid without webhooks', () => {
  it('is credited when the buyer claims it', async () => {
    const person = await createUser(server);
    server.stripe.sender.isMute = true;
    const { client_secret } = await server.orderByCard(person);
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    expect(await fulfilRecentOrders(server.app.ctx, person.id)).toEqual({
      creditsAvailable: packCount,
    });
    server.stripe.sender.isMute = false;
  });

  it('fails after a day without a payment, and is still credited when it arrives late', async () => {
    const person = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(person);
    server.clock.advance(25 * 3_600_000);
    await reconcileOrders(server.app.ctx);
    const later = { ...person, token: await signIn(server, person.email) };
    expect(await server.orderStatus(later, order_id)).toBe('failed');
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    await server.eventsProcessed();
    expect(await server.orderStatus(later, order_id)).toBe('paid');
  });
});
