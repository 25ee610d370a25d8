import { beforeAll, describe, expect, it } from 'vitest';
import { reconcileOrders } from '../../src/domains/billing/reconcile-orders.ts';
import { settlePaidOrders } from '../../src/domains/billing/settle-paid-orders.ts';
import { type Person, signedIn, signIn } from '../support/people.ts';
import { packCount, packPrice, type Shop, startShop, until } from '../support/shop.ts';

const day = 86_400_000;
let shop: Shop;
let person: Person;
beforeAll(async () => {
  shop = await startShop();
  person = await signedIn(shop);
});

/** What happens at a provider while no event of it gets through. What was told before is heard first: it would tell of this, too. */
async function untold(act: () => unknown): Promise<void> {
  await shop.quiet();
  const senders = [shop.stripe.sender, shop.paypal.sender];
  for (const sender of senders) sender.isMute = true;
  await act();
  for (const sender of senders) sender.isMute = false;
}

/** The clock of one round is ahead, so that nobody's session ends. */
function reconcileAfter(days: number): Promise<void> {
  const { ctx } = shop.app;
  return reconcileOrders({
    ...ctx,
    clock: { now: () => new Date(ctx.clock.now().getTime() + days * day) },
  });
}

describe('of a paid order', () => {
  it('a refund that nobody tells of is found by the next day, and its dispute as well', async () => {
    const { order_id, intent } = await shop.bought(person);
    await untold(() => shop.stripe.intents.refund(intent, packPrice / 2));
    await reconcileAfter(0.5);
    expect(await shop.balance(person)).toBe(packCount);
    await reconcileAfter(1.1);
    expect(await shop.balance(person)).toBe(packCount / 2);
    await untold(() => shop.stripe.intents.dispute(intent, packPrice / 2));
    await reconcileAfter(2.2);
    expect([await shop.balance(person), await shop.status(person, order_id)]).toEqual([
      0,
      'disputed',
    ]);
  });

  it('by wallet, too', async () => {
    const buyer = await signedIn(shop);
    const { ref } = await shop.walletOrder(buyer);
    shop.paypal.orders.approve(ref);
    await until(async () => (await shop.balance(buyer)) === packCount);
    await untold(() => shop.paypal.orders.refund(ref));
    await reconcileAfter(1.1);
    expect(await shop.balance(buyer)).toBe(0);
  });

  it('nobody asks twice a day, nor after two months', async () => {
    const buyer = await signedIn(shop);
    const { intent } = await shop.bought(buyer);
    const asked = () =>
      shop.stripe.calls.filter(({ path }) => path === `/v1/payment_intents/${intent}`).length;
    await reconcileAfter(1.1);
    const before = asked();
    await reconcileAfter(1.9);
    await reconcileAfter(61);
    expect(asked()).toBe(before);
  });
});

describe('of an order that is not paid', () => {
  it('a second card is found after a first one was declined', async () => {
    const buyer = await signedIn(shop);
    const { order_id, client_secret } = await shop.cardOrder(buyer);
    const intent = shop.stripe.intents.get(client_secret);
    shop.stripe.intents.decline(intent, 'card_declined', 'Your card was declined.');
    await shop.quiet();
    expect(await shop.status(buyer, order_id)).toBe('failed');
    await untold(() => shop.stripe.intents.succeed(intent));
    await reconcileAfter(0);
    expect([await shop.status(buyer, order_id), await shop.balance(buyer)]).toEqual([
      'paid',
      packCount,
    ]);
  });

  it('a new attempt is found days later, and an earlier one does not make it a failed one', async () => {
    const buyer = await signedIn(shop);
    const { order_id, client_secret } = await shop.cardOrder(buyer);
    const { intents } = shop.stripe;
    const first = intents.get(client_secret);
    await shop.app.ctx.db
      .updateTable('orders')
      .set({ created_at: new Date(shop.app.ctx.clock.now().getTime() - 3 * day) })
      .where('id', '=', order_id)
      .execute();
    intents.all.delete(first.id);
    const second = (await shop.call('resumePayment', { order_id }, buyer)).body.client_secret;
    expect(await shop.status(buyer, order_id)).toBe('pending');
    intents.all.set(first.id, first);
    intents.decline(first, 'card_declined', 'Your card was declined.');
    await shop.quiet();
    await reconcileAfter(0);
    expect(await shop.status(buyer, order_id)).toBe('pending');
    await untold(() => intents.succeed(intents.get(second ?? '')));
    await reconcileAfter(0);
    expect(await shop.status(buyer, order_id)).toBe('paid');
  });

  it('nothing more is asked of a provider that does not answer', async () => {
    const buyer = await signedIn(shop);
    await untold(async () => {
      for (let order = 0; order < 3; order++) await shop.walletOrder(buyer);
    });
    const { calls } = shop.paypal;
    const before = calls.length;
    shop.paypal.dropAnswers(20);
    await reconcileAfter(0);
    shop.paypal.dropAnswers(0);
    expect(new Set(calls.slice(before).map(({ path }) => path)).size).toBe(1);
    await reconcileAfter(0);
    expect(await shop.brokenBooks()).toEqual([]);
  });
});

describe('an order of which nobody tells', () => {
  it('is credited by the reconciler', async () => {
    const person = await signedIn(shop);
    shop.stripe.sender.isMute = true;
    const { client_secret } = await shop.cardOrder(person);
    shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
    await reconcileOrders(shop.app.ctx);
    shop.stripe.sender.isMute = false;
    expect(await shop.balance(person)).toBe(packCount);
  });

  it('is credited when the person asks for what he has paid', async () => {
    const person = await signedIn(shop);
    shop.stripe.sender.isMute = true;
    const { client_secret } = await shop.cardOrder(person);
    shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
    expect(await settlePaidOrders(shop.app.ctx, person.id)).toEqual({
      creditsAvailable: packCount,
    });
    shop.stripe.sender.isMute = false;
  });

  it('is given up after a day without a payment, and paid all the same when that comes late', async () => {
    const person = await signedIn(shop);
    const { order_id, client_secret } = await shop.cardOrder(person);
    shop.clock.advance(25 * 3_600_000);
    await reconcileOrders(shop.app.ctx);
    const later = { ...person, token: await signIn(shop, person.email) };
    expect(await shop.status(later, order_id)).toBe('failed');
    shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
    await shop.quiet();
    expect(await shop.status(later, order_id)).toBe('paid');
  });
});
