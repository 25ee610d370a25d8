import { roles } from '@rowmill/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type PaymentServer,
  pack,
  packPrice,
  startPaymentServer,
} from '../support/payment-server.ts';
import { createUser, password, type TestUser } from '../support/users.ts';

let server: PaymentServer;
beforeAll(async () => {
  server = await startPaymentServer({ LOG_LEVEL: 'silent' });
});

const billing_address = {
  name: 'Ewan Quilliam',
  line1: '7 Harbour Terrace',
  city: 'Ramsey',
  country: 'IM',
};

/** An unpaid order with its own billing address. */
async function order(person: TestUser, address = billing_address) {
  const request = { plan: [{ id: pack, quantity: 1 }], profile: { billing_address: address } };
  return (await server.call('stripeCreditIntent', request, person)).body;
}

async function buy(person: TestUser, address = billing_address) {
  const { order_id, client_secret } = await order(person, address);
  const intent = server.stripe.intents.get(client_secret);
  server.stripe.intents.succeed(intent);
  await server.call('confirmPayment', { order_id }, person);
  return { order_id, intent: intent.id };
}

const deleteAccount = (person: TestUser) =>
  server.call('deleteUserAccount', { current_password: password }, person);

describe('the export of personal data', () => {
  it('contains orders with lines and payments, invoices, credit notes and plan periods, and no data of others', async () => {
    const [person, other] = [await createUser(server), await createUser(server)];
    const { order_id, intent } = await buy(person);
    server.stripe.intents.refund(intent, 200);
    await server.eventsProcessed();
    const month = (await server.call('stripeIntent', { plan: { id: 'month' } }, person)).body;
    server.stripe.intents.succeed(server.stripe.intents.get(month.client_secret));
    await server.call('setPlan', { id: 'month', order_id: month.order_id }, person);
    const foreign = await buy(other);
    const exported = await (await server.download('exportUserData', {}, person)).text();
    expect(JSON.parse(exported)).toMatchObject({
      orders: [
        {
          id: order_id,
          payment_method: 'card',
          total_minor: packPrice,
          refunded_minor: 200,
          billing_address,
          lines: [{ name: '500 submissions', quantity: 1, rate_minor: packPrice }],
          payments: [{ provider: 'stripe', provider_ref: intent, payment_status: 'paid' }],
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

describe('a deleted account', () => {
  it('leaves anonymous orders and unchanged invoices', async () => {
    const person = await createUser(server);
    const address = { ...billing_address, name: 'Orry Teare', line1: '9 Fisher Lane' };
    await server.call('userBillingAddress', { billing_address: address }, person);
    await server.call(
      'verifyAndUpdateUserDetails',
      { first_name: 'Orry', last_name: 'Teare' },
      person,
    );
    const { order_id } = await buy(person, address);
    await order(person, address);
    expect((await deleteAccount(person)).status).toBe(200);
    const { db } = server.app.ctx;
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
    const operator = await createUser(server, { roleId: roles.operator });
    const { entries } = (await server.call('getAuditLog', { search: person.id }, operator)).body;
    expect(entries.length).toBeGreaterThan(2);
    for (const { subject, actor } of entries)
      for (const { name } of [subject, actor]) expect(name).toBe('Deleted person');
    for (const words of ['Teare', 'Fisher Lane', person.email])
      expect(await tablesWith(words)).toEqual(['invoices']);
    expect((await server.emailTo(person.email, 'is deleted')).text).toContain(
      'Invoices and credit notes stay',
    );
  });

  it('keeps the ledger correct when a payment is applied at the same moment', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => createUser(server)));
    await Promise.all(
      people.map(async (person) => {
        const { order_id, client_secret } = await order(person);
        server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
        const [, left] = await Promise.all([
          server.call('confirmPayment', { order_id }, person),
          deleteAccount(person),
        ]);
        expect(left.status).toBe(200);
      }),
    );
    await server.eventsProcessed();
    const ids = people.map(({ id }) => id);
    const orders = await server.app.ctx.db
      .selectFrom('orders')
      .selectAll()
      .where('user_id', 'in', ids)
      .execute();
    expect(orders.map((kept) => [kept.payment_status, kept.billing_address])).toEqual(
      people.map(() => ['paid', {}]),
    );
    expect(await server.failedLedgerChecks()).toEqual([]);
  });
});

/** Tables that contain these words anywhere, without the queue of emails. */
async function tablesWith(words: string): Promise<string[]> {
  const { db } = server.app.ctx;
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
