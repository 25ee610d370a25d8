import { roles } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { pack, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { startTestServer } from '../support/test-server.ts';
import { as, createUser } from '../support/users.ts';

const server = await startPaymentServer();

const orderCount = async () =>
  Number(
    (
      await server.app.ctx.db
        .selectFrom('orders')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );

describe('the packs', () => {
  it('show content, price, saving and the included tax', async () => {
    const person = await createUser(server);
    const { credits, tax } = (await server.call('listCreditsAvailableForPurchase', {}, person))
      .body;
    expect(
      credits.map(({ count, rate_minor, saving_percent }) => [count, rate_minor, saving_percent]),
    ).toEqual([
      [500, 600, 0],
      [2000, 2000, 16],
      [10_000, 8000, 33],
      [50_000, 30_000, 50],
    ]);
    expect(new Set(credits.map(({ currency }) => currency))).toEqual(new Set(['GBP']));
    expect(tax).toEqual({ name: 'VAT', percent: 20 });
    expect((await server.call('getPlans', {})).body.tax).toEqual(tax);
  });
});

describe('a price sent by the browser', () => {
  it('is refused in every call and field when it is wrong, and nothing is ordered', async () => {
    const person = await createUser(server);
    const before = await orderCount();
    const wrong = [{ rate: 1 }, { count: 1e6 }, { rate: -600 }, { rate: 0 }];
    for (const price of wrong) {
      const items = [{ id: pack, quantity: 1, ...price }];
      expect((await server.call('stripeCreditIntent', { plan: items }, person)).status).toBe(422);
      expect((await server.call('createOrder', { type: 'credits', items }, person)).status).toBe(
        422,
      );
    }
    for (const terms of [{ price_minor: 1 }, { submissions: 1e6 }, { period_days: 999 }]) {
      const plan = { id: 'year', ...terms };
      expect((await server.call('stripeIntent', { plan }, person)).body.fields).toHaveProperty([
        `plan.${Object.keys(terms)}`,
      ]);
      expect((await server.call('createOrder', { type: 'plan', plan }, person)).status).toBe(422);
    }
    expect(await orderCount()).toBe(before);
  });

  it('is ignored in fields that no call declares', async () => {
    const person = await createUser(server);
    const request = {
      plan: [{ id: pack, quantity: 1, rate: packPrice, price: 1 }],
      total: 1,
      total_minor: 1,
      price: 1,
      submissions: 1e6,
    };
    const made = await server.call('stripeCreditIntent', request as never, person);
    expect(made.body.total_minor).toBe(packPrice);
    const stored = await server.app.ctx.db
      .selectFrom('orders')
      .select(['total_minor', 'submissions'])
      .where('id', '=', made.body.order_id)
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({ total_minor: packPrice, submissions: 500 });
    const plan = await server.call(
      'stripeIntent',
      { plan: { id: 'month', price: 1, count: 1e9 } } as never,
      person,
    );
    expect(plan.body.total_minor).toBe(1900);
    const claimed = await server.call(
      'buyCredits',
      { order_id: made.body.order_id, count: 1e6, credits: 1e6 } as never,
      person,
    );
    expect(claimed.body.code).toBe('not_paid');
  });

  it('is refused with an invalid quantity, and no entry is made', async () => {
    const person = await createUser(server);
    const before = await orderCount();
    for (const quantity of [0, -1, 1.5, '1e9', null, 2 ** 53, 1e308, [1], {}, true]) {
      const items = [{ id: pack, quantity }] as never;
      expect((await server.call('stripeCreditIntent', { plan: items }, person)).status).toBe(422);
      expect((await server.call('createOrder', { type: 'credits', items }, person)).status).toBe(
        422,
      );
    }
    const many = Array.from({ length: 51 }, () => ({ id: pack, quantity: 1 }));
    expect((await server.call('stripeCreditIntent', { plan: many }, person)).status).toBe(422);
    expect((await server.call('stripeCreditIntent', { plan: [] }, person)).status).toBe(422);
    const tooLarge = [{ id: 'pack-50000', quantity: 10_000 }];
    expect(
      (await server.call('stripeCreditIntent', { plan: tooLarge }, person)).body.fields,
    ).toHaveProperty(['plan']);
    expect(await orderCount()).toBe(before);
    expect(await server.balance(person)).toBe(0);
  });

  it('is refused for an item that is free or does not exist', async () => {
    const person = await createUser(server);
    expect((await server.call('stripeIntent', { plan: { id: 'free' } }, person)).body.code).toBe(
      'not_now',
    );
    expect((await server.call('stripeIntent', { plan: { id: 'nothing' } }, person)).status).toBe(
      404,
    );
    expect((await server.call('createOrder', { type: 'plan' }, person)).body.fields).toHaveProperty(
      'plan',
    );
  });
});

describe('an installation without payment keys', () => {
  it('says so and accepts no webhooks', async () => {
    const bare = await startTestServer();
    const person = await createUser(bare);
    const refused = await bare.call(
      'stripeCreditIntent',
      { plan: [{ id: pack, quantity: 1 }] },
      person,
    );
    expect(refused.body).toMatchObject({
      code: 'not_now',
      message: 'Card payment is not available here.',
    });
    for (const path of ['/webhooks/stripe', '/webhooks/paypal', '/dev/stripe/pay'])
      expect((await fetch(bare.app.url + path, { method: 'POST', body: '{}' })).status).toBe(405);
  });
});

it('orders by an admin use up none of the orders of their client', async () => {
  const admin = await createUser(server, { roleId: roles.admin });
  const client = await createUser(server, { adminId: admin.id });
  const plan = [{ id: pack, quantity: 1, rate: packPrice }];
  const ofAdmin = { plan, ...as(client) };
  expect((await server.call('stripeCreditIntent', ofAdmin, admin)).status).toBe(200);
  const counts = server.app.ctx.db.updateTable('rate_limits').where('key', 'like', 'order:%');
  await counts.set({ attempts: rateLimits.orderPerPerson.attempts }).execute();
  expect((await server.call('stripeCreditIntent', { plan }, client)).status).toBe(200);
  expect((await server.call('stripeCreditIntent', ofAdmin, admin)).status).toBe(429);
});
