import { roles } from '@rowmill/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { arrived } from '../support/cast.ts';
import { type Person, password, signedIn } from '../support/people.ts';
import { pack, packPrice, type Shop, startShop } from '../support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop({ LOG_LEVEL: 'silent' });
});

const billing_address = {
  name: 'Ewan Quilliam',
  line1: '7 Harbour Terrace',
  city: 'Ramsey',
  country: 'IM',
};

/** An order that is not paid yet, with an address of its own. */
async function order(person: Person, address = billing_address) {
  const request = { plan: [{ id: pack, quantity: 1 }], profile: { billing_address: address } };
  return (await shop.call('stripeCreditIntent', request, person)).body;
}

async function buy(person: Person, address = billing_address) {
  const { order_id, client_secret } = await order(person, address);
  const intent = shop.stripe.intents.get(client_secret);
  shop.stripe.intents.succeed(intent);
  await shop.call('confirmPayment', { order_id }, person);
  return { order_id, intent: intent.id };
}

const leave = (person: Person) =>
  shop.call('deleteUserAccount', { current_password: password }, person);

describe('the file of one’s data', () => {
  it('holds orders with lines and payments, invoices, credit notes and plan periods, and nothing of others', async () => {
    const [person, other] = [await signedIn(shop), await signedIn(shop)];
    const { order_id, intent } = await buy(person);
    shop.stripe.intents.refund(intent, 200);
    await shop.quiet();
    const month = (await shop.call('stripeIntent', { plan: { id: 'month' } }, person)).body;
    shop.stripe.intents.succeed(shop.stripe.intents.get(month.client_secret));
    await shop.call('setPlan', { id: 'month', order_id: month.order_id }, person);
    const foreign = await buy(other);
    const exported = await (await shop.download('exportUserData', {}, person)).text();
    expect(JSON.parse(exported)).toMatchObject({
      orders: [
        {
          id: order_id,
          total_minor: packPrice,
          refunded_minor: 200,
          billing_address,
          lines: [{ name: '500 submissions', quantity: 1, rate_minor: packPrice }],
          payments: [{ provider: 'card', provider_ref: intent, payment_status: 'paid' }],
          invoice: {
            number: expect.stringContaining('INV-'),
            total_minor: packPrice,
            customer: { address: billing_address },
          },
          credit_notes: [{ number: expect.stringContaining('CN-'), total_minor: 200 }],
        },
        { id: month.order_id, type: 'plan', payment_status: 'paid' },
      ],
      plan_periods: [
        { plan_id: 'month', name: 'Month', order_id: month.order_id, revoked_at: null },
      ],
    });
    expect(exported).not.toContain(foreign.order_id);
    expect(exported).not.toContain(other.email);
  });
});

describe('an account that is deleted', () => {
  it('leaves orders without a name, and invoices as they were issued', async () => {
    const person = await signedIn(shop);
    const address = { ...billing_address, name: 'Orry Teare', line1: '9 Fisher Lane' };
    await shop.call('userBillingAddress', { billing_address: address }, person);
    await shop.call(
      'verifyAndUpdateUserDetails',
      { first_name: 'Orry', last_name: 'Teare' },
      person,
    );
    const { order_id } = await buy(person, address);
    await order(person, address);
    expect((await leave(person)).status).toBe(200);
    const { db } = shop.app.ctx;
    const orders = await db
      .selectFrom('orders')
      .selectAll()
      .where('user_id', '=', person.id)
      .execute();
    expect(orders.map((kept) => [kept.total_minor, kept.billing_address])).toEqual([
      [packPrice, {}],
      [packPrice, {}],
    ]);
    const papers = await db
      .selectFrom('invoices')
      .selectAll()
      .where('order_id', '=', order_id)
      .execute();
    expect(papers.map(({ document }) => document.customer)).toEqual([
      { name: 'Orry Teare', email: person.email, address },
    ]);
    const operator = await arrived(shop, { roleId: roles.operator });
    const { entries } = (await shop.call('getAuditLog', { search: person.id }, operator)).body;
    expect(entries.length).toBeGreaterThan(2);
    for (const { subject, actor } of entries)
      for (const { name } of [subject, actor]) expect(name).toBe('Deleted person');
    for (const words of ['Teare', 'Fisher Lane', person.email])
      expect(await tablesWith(words)).toEqual(['papers']);
    expect((await shop.mailTo(person.email, 'is deleted')).text).toContain(
      'Invoices and credit notes stay',
    );
  });

  it('keeps its books right when a payment is settled at the same moment', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => signedIn(shop)));
    await Promise.all(
      people.map(async (person) => {
        const { order_id, client_secret } = await order(person);
        shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
        const [, left] = await Promise.all([
          shop.call('confirmPayment', { order_id }, person),
          leave(person),
        ]);
        expect(left.status).toBe(200);
      }),
    );
    await shop.quiet();
    const ids = people.map(({ id }) => id);
    const orders = await shop.app.ctx.db
      .selectFrom('orders')
      .selectAll()
      .where('user_id', 'in', ids)
      .execute();
    expect(orders.map((kept) => [kept.payment_status, kept.billing_address])).toEqual(
      people.map(() => ['paid', {}]),
    );
    expect(await shop.brokenBooks()).toEqual([]);
  });
});

/** Which tables of ours hold these words anywhere, but for the mails that wait to be sent. */
async function tablesWith(words: string): Promise<string[]> {
  const { db } = shop.app.ctx;
  const tables = (await db.introspection.getTables()).filter(
    ({ schema }) => !schema || schema === 'public',
  );
  const found = [];
  for (const { name } of tables) {
    const rows = await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    if (JSON.stringify(rows).includes(words)) found.push(name);
  }
  return found.toSorted();
}
