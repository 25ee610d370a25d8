import { describe, expect, it } from 'vitest';
import { reconcileOrders } from '../../src/domains/billing/payments/reconcile-orders.ts';
import { packCount, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser, password, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const server = await startPaymentServer();
const operator = await createUser(server, { roleId: 3 });

const captured = (ref: string) =>
  server.paypal.orders.get(ref).captures.map(({ amount }) => amount.value);

async function approve(ref: string): Promise<void> {
  server.paypal.orders.approve(ref);
  await server.eventsProcessed();
}

async function orderOf(person: TestUser, orderId: string) {
  return (await server.call('getOrderDetails', { orderId }, person)).body.order;
}

describe('an approval page that was left open', () => {
  it('of an order that was paid in another one takes the money once and delivers', async () => {
    const person = await createUser(server);
    const left = await server.orderByWallet(person);
    const other = await server.orderByWallet(person);
    await approve(other.ref);
    expect(await orderOf(person, left.order_id)).toMatchObject({ replaced_by: other.order_id });
    await approve(left.ref);
    expect([captured(left.ref), captured(other.ref)]).toEqual([['6.00'], ['6.00']]);
    expect(await server.balance(person)).toBe(2 * packCount);
    const { payment_status, number } = await orderOf(person, left.order_id);
    expect([payment_status, number]).toEqual(['paid', expect.stringMatching(/^INV/)]);
  });

  it('takes no money later for an order that the buyer gave up after a failed capture', async () => {
    const person = await createUser(server);
    const left = await server.orderByWallet(person);
    server.paypal.sender.isMute = true;
    server.paypal.orders.approve(left.ref);
    server.paypal.sender.isMute = false;
    const other = await server.orderByWallet(person);
    await approve(other.ref);
    await reconcileOrders(server.app.ctx);
    expect(await server.call('updateCreditCount', {}, person)).toMatchObject({ status: 200 });
    const resumed = await server.call('resumePayment', { order_id: left.order_id }, person);
    expect(resumed).toMatchObject({ status: 409, body: { code: 'not_now' } });
    expect([captured(left.ref), captured(other.ref)]).toEqual([[], ['6.00']]);
    expect(await server.balance(person)).toBe(packCount);
    expect(await orderOf(person, left.order_id)).toMatchObject({ replaced_by: other.order_id });
  });

  it('takes the price of its order after the pack became dearer and was withdrawn', async () => {
    const person = await createUser(server);
    const left = await server.orderByWallet(person);
    const { packs } = (await server.call('getCatalogue', {}, operator)).body;
    const [pack] = packs;
    if (!pack) throw new Error('the catalogue has no pack');
    const dearer = { ...pack, rate_minor: 2 * packPrice, is_sold: false };
    expect(await server.call('savePack', dearer, operator)).toMatchObject({ status: 200 });
    await approve(left.ref);
    expect(captured(left.ref)).toEqual(['6.00']);
    expect(await server.balance(person)).toBe(packCount);
    await server.call('savePack', { ...pack, version: pack.version + 1 }, operator);
  });

  it('of a buyer who deleted their account takes no money', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    const deletion = { current_password: password };
    expect(await server.call('deleteUserAccount', deletion, person)).toMatchObject({ status: 200 });
    await approve(ref);
    const order = () =>
      server.app.ctx.db
        .selectFrom('orders')
        .select(['payment_status', 'problem'])
        .where('id', '=', order_id)
        .executeTakeFirstOrThrow();
    await until(async () => (await order()).payment_status === 'failed');
    await reconcileOrders(server.app.ctx);
    expect(captured(ref)).toEqual([]);
    expect(await order()).toMatchObject({ problem: expect.stringContaining('No money was taken') });
  });
});

describe('a card that is charged after the buyer deleted their account', () => {
  it('goes into review and can only be refunded', async () => {
    const person = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(person);
    const deletion = { current_password: password };
    expect(await server.call('deleteUserAccount', deletion, person)).toMatchObject({ status: 200 });
    const intent = server.stripe.intents.get(client_secret);
    server.stripe.intents.succeed(intent);
    await server.eventsProcessed();
    const { reviews } = (await server.call('getReviews', {}, operator)).body;
    const review = reviews.find((one) => one.order_id === order_id);
    expect(review).toMatchObject({ differs: ['buyer deleted'], can_accept: false });
    const decide = (decision: 'accept' | 'refuse') =>
      server.call(
        'decideReview',
        { payment_id: review?.payment_id ?? '', decision, reason: 'No account.' },
        operator,
      );
    expect(await decide('accept')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('deleted their account') },
    });
    expect(await decide('refuse')).toMatchObject({ status: 200 });
    await until(() => server.stripe.intents.refundable(intent) === 0);
  });
});
