import { beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../src/db/transaction.ts';
import type { Standing } from '../src/domains/billing/port.ts';
import { settlePayment } from '../src/domains/billing/settle-payment.ts';
import { moveCredits } from '../src/domains/credits/move-credits.ts';
import { findAccount } from '../src/domains/credits/store.ts';
import { type Person, signedIn } from './people.ts';
import { packCount, packPrice, type Shop, startShop, until } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});

const pots = async ({ id }: Person) => {
  const account = await findAccount(shop.app.ctx.db, id);
  return { available: account?.available ?? 0, spent: account?.spent ?? 0, owed: account?.owed ?? 0 };
};

const spend = (person: Person, amount: number) =>
  moveCredits(shop.app.ctx, { userId: person.id, from: 'available', to: 'spent', amount, cause: 'test-spending' });

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe('four events of one payment', () => {
  it('end in the same balance in each of their 24 orders', async () => {
    const endings = new Set<string>();
    for (const order of permutations([0, 1, 2, 3])) {
      const person = await signedIn(shop);
      shop.stripe.sender.isMute = true;
      const { client_secret, order_id } = await shop.cardOrder(person);
      const { intents, events } = shop.stripe;
      const intent = intents.get(client_secret);
      const first = events.length;
      intents.succeed(intent);
      intents.refund(intent.id, packPrice * 0.3);
      intents.closeDispute(intents.dispute(intent.id, packPrice * 0.7), 'won');
      shop.stripe.sender.isMute = false;
      for (const index of order) {
        const event = events[first + index];
        if (event) shop.stripe.sender.send(event);
        await shop.quiet();
      }
      endings.add(JSON.stringify([await pots(person), await shop.status(person, order_id)]));
    }
    expect([...endings]).toEqual([JSON.stringify([{ available: 350, spent: 0, owed: 0 }, 'paid'])]);
  });

  it('do so also when each shows how things stood at its time, and half of it is spent', async () => {
    const endings = new Set<string>();
    for (const order of permutations([0, 1, 2, 3])) {
      const person = await signedIn(shop);
      const { order_id, intent } = await shop.bought(person);
      await spend(person, 400);
      const payment = await shop.app.ctx.db
        .selectFrom('payments')
        .select('id')
        .where('order_id', '=', order_id)
        .executeTakeFirstOrThrow();
      const now = await stripeStanding(intent);
      const refund = { ref: `re_${order_id}`, kind: 'refund' as const, state: 'taken' as const, amountMinor: packPrice / 2 };
      const dispute = { ref: `dp_${order_id}`, kind: 'dispute' as const, amountMinor: packPrice / 2 };
      const standings: Standing[] = [
        now,
        { ...now, reversals: [refund] },
        { ...now, reversals: [refund, { ...dispute, state: 'open' }] },
        { ...now, reversals: [refund, { ...dispute, state: 'returned' }] },
      ];
      for (const index of order) {
        const standing = standings[index];
        if (standing)
          await inTransaction(shop.app.ctx, (inside) =>
            settlePayment(inside, { orderId: order_id, paymentId: payment.id, standing }),
          );
        expect((await pots(person)).available).toBeGreaterThanOrEqual(0);
      }
      endings.add(JSON.stringify([await pots(person), await shop.status(person, order_id)]));
    }
    expect([...endings]).toEqual([JSON.stringify([{ available: 0, spent: 400, owed: 150 }, 'paid'])]);
  });
});

async function stripeStanding(intent: string): Promise<Standing> {
  const standing = await shop.app.ctx.payments.card?.find(intent);
  if (!standing) throw new Error('the fake knows its intent');
  return standing;
}

describe('what goes back', () => {
  it('is counted together and never more than was granted: parts, a dispute, its end, a refund after it', async () => {
    const person = await signedIn(shop);
    const { order_id, intent } = await shop.bought(person);
    const { intents } = shop.stripe;
    const when = async (act: () => unknown) => {
      act();
      await shop.quiet();
      const { refunded_minor } = (await shop.call('getOrderDetails', { orderId: order_id }, person)).body.order;
      return [(await pots(person)).available, await shop.status(person, order_id), refunded_minor];
    };
    expect(await when(() => intents.refund(intent, 180))).toEqual([350, 'paid', 180]);
    expect(await when(() => intents.refund(intent, 180))).toEqual([200, 'paid', 360]);
    let dispute = intents.disputes.at(-1);
    expect(await when(() => (dispute = intents.dispute(intent)))).toEqual([0, 'disputed', 360]);
    expect(await when(() => dispute && intents.closeDispute(dispute, 'won'))).toEqual([200, 'paid', 360]);
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
    expect((await shop.call('askChatGpt', { question: 'What is owed?', query: {} }, person)).status).toBe(200);
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
    const { order_id, client_secret } = (await shop.call('stripeIntent', { plan: { id: 'month' } }, person)).body;
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
