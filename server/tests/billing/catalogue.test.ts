import {
  type CatalogueItem,
  type CataloguePack,
  type CataloguePlan,
  roles,
} from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { pack, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser, type TestUser } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const server = await startPaymentServer();
const operator = await createUser(server, { roleId: roles.operator });

const catalogue = async () => (await server.call('getCatalogue', {}, operator)).body;
const history = async () => (await server.call('getCatalogueHistory', {}, operator)).body;
const packNow = async (id = pack) =>
  (await catalogue()).packs.find((known) => known.id === id) as CataloguePack;
const planNow = async (id: string) =>
  (await catalogue()).plans.find((known) => known.id === id) as CataloguePlan;
const changePack = async (change: Partial<CataloguePack>, id = pack) =>
  server.call('savePack', { ...(await packNow(id)), ...change }, operator);
const changePlan = async (id: string, change: Partial<CataloguePlan>) =>
  server.call('savePlan', { ...(await planNow(id)), ...change }, operator);
const changePricing = async (change: object) =>
  server.call('savePricing', { ...(await catalogue()).pricing, ...change } as never, operator);
const offered = async (person: TestUser) =>
  (await server.call('listCreditsAvailableForPurchase', {}, person)).body;
const newPlan = {
  name: 'Week',
  price_minor: 700,
  period_days: 7,
  submissions: 500,
  features: ['500 submissions'],
  highlighted: false,
  position: 2,
  is_sold: true,
};
const newPack = {
  name: '100 submissions',
  count: 100,
  rate_minor: 150,
  position: 1,
  is_sold: true,
};

async function withPaidPlan(id: string): Promise<{ person: TestUser; order_id: string }> {
  const person = await createUser(server);
  const { order_id, client_secret } = (await server.call('stripeIntent', { plan: { id } }, person))
    .body;
  server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
  await server.call('confirmPayment', { order_id }, person);
  return { person, order_id };
}

describe('the price of a pack', () => {
  it('applies to new orders only, not to existing ones, paid or unpaid', async () => {
    const [paying, paid, coming] = [
      await createUser(server),
      await createUser(server),
      await createUser(server),
    ];
    const open = await server.orderByCard(paying);
    const bought = await server.buyByCard(paid);
    const saved = await changePack({ rate_minor: 750 });
    expect(saved.body).toMatchObject({
      pack: { rate_minor: 750 },
      message: expect.stringContaining('keep their price'),
    });
    expect((await offered(coming)).credits[0]).toMatchObject({ id: pack, rate_minor: 750 });
    expect((await server.orderByCard(coming)).total_minor).toBe(750);
    server.stripe.intents.succeed(server.stripe.intents.get(open.client_secret));
    expect(
      (await server.call('confirmPayment', { order_id: open.order_id }, paying)).body
        .payment_status,
    ).toBe('paid');
    for (const [person, order_id] of [
      [paying, open.order_id] as const,
      [paid, bought.order_id] as const,
    ]) {
      const details = (await server.call('getOrderDetails', { orderId: order_id }, person)).body;
      expect(details).toMatchObject({
        order: { total_minor: packPrice },
        lines: [{ rate_minor: packPrice }],
      });
    }
    await expectLedgerChecksToPass(server);
  });

  it('of a cart filled earlier is refused with a message, and nothing is ordered', async () => {
    const person = await createUser(server);
    const { rate_minor } = await packNow();
    await changePack({ rate_minor: rate_minor + 1 });
    const items = [{ id: pack, quantity: 1, rate: rate_minor }];
    const refused = await server.call('stripeCreditIntent', { plan: items }, person);
    expect(refused.body.fields).toEqual({
      'plan.0.rate': 'The price has changed. Check it and order again.',
    });
    expect((await server.call('getOrders', {}, person)).body.total).toBe(0);
  });
});

describe('a pack', () => {
  it('can be added, sold, withdrawn and offered again', async () => {
    const person = await createUser(server);
    const { body } = await server.call('savePack', newPack, operator);
    expect(body.pack).toMatchObject({ ...newPack, currency: 'GBP', version: 1 });
    const items = [{ id: body.pack.id, quantity: 3 }];
    const order = await server.call('stripeCreditIntent', { plan: items }, person);
    expect(order.body.total_minor).toBe(450);
    await changePack({ is_sold: false }, body.pack.id);
    expect((await offered(person)).credits.map(({ id }) => id)).not.toContain(body.pack.id);
    const refused = await server.call('stripeCreditIntent', { plan: items }, person);
    expect(refused.body).toMatchObject({
      code: 'invalid_input',
      fields: { 'plan.0.id': expect.any(String) },
    });
    const resumed = await server.call('resumePayment', { order_id: order.body.order_id }, person);
    expect(resumed.body.total_minor).toBe(450);
    await changePack({ is_sold: true }, body.pack.id);
    expect((await offered(person)).credits.map(({ id }) => id)).toContain(body.pack.id);
  });

  it('cannot have the name of another pack on sale', async () => {
    const twin = await server.call('savePack', { ...newPack, name: '2,000 SUBMISSIONS' }, operator);
    expect(twin.body).toMatchObject({
      code: 'invalid_input',
      fields: { name: 'Another pack on sale has this name.' },
    });
    expect(
      (
        await server.call(
          'savePack',
          { ...newPack, name: '2,000 SUBMISSIONS', is_sold: false },
          operator,
        )
      ).status,
    ).toBe(200);
  });
});

describe('a plan', () => {
  it('stays unchanged for its subscribers when it is edited and withdrawn', async () => {
    const { person } = await withPaidPlan('month');
    const before = (await server.call('getUserPlan', {}, person)).body.plan;
    expect(before).toMatchObject({
      name: 'Month',
      price_minor: 1900,
      period_days: 30,
      submissions: 2000,
    });
    const holders = (await planNow('month')).holders;
    expect(holders).toBe(1);
    await changePlan('month', {
      name: 'Four weeks',
      price_minor: 2500,
      period_days: 28,
      features: ['Less'],
      is_sold: false,
    });
    expect((await server.call('getUserPlan', {}, person)).body.plan).toEqual(before);
    expect((await planNow('month')).holders).toBe(holders);
    expect((await server.call('getPlans', {})).body.plans.map(({ id }) => id)).not.toContain(
      'month',
    );
    expect(await server.call('stripeIntent', { plan: { id: 'month' } }, person)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('no longer on sale') },
    });
  });

  it('that was ordered before an edit starts as ordered', async () => {
    const person = await createUser(server);
    const { order_id, client_secret } = (
      await server.call('stripeIntent', { plan: { id: 'year' } }, person)
    ).body;
    await changePlan('year', { price_minor: 20_000, period_days: 300, submissions: 1 });
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    await server.call('confirmPayment', { order_id }, person);
    const { plan } = (await server.call('setPlan', { id: 'year', order_id }, person)).body;
    expect(plan).toMatchObject({ price_minor: 16_900, period_days: 365, submissions: 30_000 });
    expect(Date.parse(plan.ends_at ?? '') - Date.parse(plan.started_at)).toBe(365 * 86_400_000);
    expect(await server.balance(person)).toBe(30_000);
    await expectLedgerChecksToPass(server);
  });

  it('can be added and ordered', async () => {
    const { plan } = (await server.call('savePlan', newPlan, operator)).body;
    expect(plan).toMatchObject({ ...newPlan, currency: 'GBP', version: 1, holders: 0 });
    const { order_id } = await withPaidPlan(plan.id);
    expect(order_id).toBeTruthy();
    expect((await planNow(plan.id)).holders).toBe(1);
  });

  it('that is free stays free, on sale and without an end, and no other plan becomes free', async () => {
    const wrong = await changePlan('free', { price_minor: 100, period_days: 30, is_sold: false });
    expect(Object.keys(wrong.body.fields ?? {}).sort()).toEqual([
      'is_sold',
      'period_days',
      'price_minor',
    ]);
    expect((await changePlan('free', { submissions: 30 })).body.plan.submissions).toBe(30);
    const gift = await changePlan('quarter', { price_minor: 0, period_days: null });
    expect(gift.body.fields).toEqual({
      price_minor: 'At least 1.00.',
      period_days: 'Enter a number of days.',
    });
    expect(
      (await server.call('savePlan', { ...newPlan, name: 'Gift', price_minor: 0 }, operator))
        .status,
    ).toBe(422);
  });
});

describe('the currency and the tax', () => {
  it('change for all prices at once, but not for existing orders', async () => {
    const person = await createUser(server);
    const { order_id } = await server.buyByCard(person);
    const saved = await changePricing({ currency: 'EUR', tax_name: 'TVA', basis_points: 550 });
    expect(saved.body.pricing).toMatchObject({
      currency: 'EUR',
      tax_name: 'TVA',
      basis_points: 550,
    });
    const { plans, packs } = await catalogue();
    expect(new Set([...plans, ...packs].map(({ currency }) => currency))).toEqual(new Set(['EUR']));
    const { credits, tax } = await offered(person);
    expect([credits[0]?.currency, tax]).toEqual(['EUR', { name: 'TVA', percent: 5.5 }]);
    const kept = (await server.call('getOrderDetails', { orderId: order_id }, person)).body;
    expect(kept).toMatchObject({ order: { currency: 'GBP' }, tax_name: 'VAT', tax_percent: 20 });
    const next = await server.orderByCard(person);
    const details = (await server.call('getOrderDetails', { orderId: next.order_id }, person)).body;
    expect(details).toMatchObject({
      order: { currency: 'EUR' },
      tax_name: 'TVA',
      tax_percent: 5.5,
    });
    await changePricing({ currency: 'GBP', tax_name: 'VAT', basis_points: 2000 });
  });

  it('that the browser showed are checked by every call that orders, so 6 pounds are not sold as 6 euros', async () => {
    const person = await createUser(server);
    const before = (await server.call('getOrders', {}, person)).body.total;
    await changePricing({ currency: 'EUR' });
    const words = 'Prices are now in EUR. Check them and order again.';
    const asked = (currency: string) => {
      const items = [{ id: pack, quantity: 1, currency }];
      const plan = { id: 'quarter', currency };
      return Promise.all([
        server.call('stripeCreditIntent', { plan: items }, person),
        server.call('stripeIntent', { plan }, person),
        server.call('createOrder', { type: 'credits', items }, person),
        server.call('createOrder', { type: 'plan', plan }, person),
      ]);
    };
    const refused = await asked('GBP');
    expect(refused.map(({ status, body }) => [status, body.fields])).toEqual([
      [422, { 'plan.0.currency': words }],
      [422, { 'plan.currency': words }],
      [422, { 'items.0.currency': words }],
      [422, { 'plan.currency': words }],
    ]);
    expect((await server.call('getOrders', {}, person)).body.total).toBe(before);
    expect((await asked('EUR')).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await changePricing({ currency: 'GBP' });
  });

  it('are included in each price: after a change of the tax alone, an older page is charged what it showed', async () => {
    const person = await createUser(server);
    const { id, count, rate_minor: rate, currency } = await packNow();
    const { price_minor } = await planNow('quarter');
    await changePricing({ basis_points: 550 });
    const cart = await server.call(
      'stripeCreditIntent',
      { plan: [{ id, quantity: 3, count, rate, currency }] },
      person,
    );
    const chosen = await server.call(
      'stripeIntent',
      { plan: { id: 'quarter', price_minor, currency } },
      person,
    );
    expect([cart.body.total_minor, chosen.body.total_minor]).toEqual([3 * rate, price_minor]);
    const details = (await server.call('getOrderDetails', { orderId: cart.body.order_id }, person))
      .body;
    expect(details).toMatchObject({ order: { total_minor: 3 * rate }, tax_percent: 5.5 });
    await changePricing({ basis_points: 2000 });
  });
});

describe('the history', () => {
  it('shows who changed what and when, with old and new values, and has no entry without a change', async () => {
    const { rate_minor } = await packNow('pack-2000');
    await changePack({ rate_minor: 2100 }, 'pack-2000');
    const { changes, total } = await history();
    expect(changes[0]).toMatchObject({
      item: 'pack' satisfies CatalogueItem,
      kind: 'changed',
      name: '2,000 submissions',
      currency: 'GBP',
      by: { id: operator.id, name: 'Pat Person' },
      fields: [{ field: 'rate_minor', before: rate_minor, after: 2100 }],
    });
    expect((await changePack({}, 'pack-2000')).status).toBe(200);
    expect((await changePricing({})).status).toBe(200);
    expect((await history()).total).toBe(total);
    const page = (
      await server.call('getCatalogueHistory', { start: total - 1, limit: 5 }, operator)
    ).body;
    expect(page.changes).toHaveLength(1);
    const log = (await server.call('getAuditLog', { search: 'catalogue changed' }, operator)).body;
    expect(log.entries[0]?.what).toBe('changed what is for sale: the pack “2,000 submissions”');
  });

  it('also contains changes made in the database directly, without a name', async () => {
    const { version } = await packNow('pack-2000');
    await server.app.ctx.db
      .updateTable('packs')
      .set({ rate_minor: 2000 })
      .where('id', '=', 'pack-2000')
      .execute();
    expect((await history()).changes[0]).toMatchObject({
      by: null,
      fields: [{ field: 'rate_minor', before: 2100, after: 2000 }],
    });
    expect((await packNow('pack-2000')).version).toBe(version + 1);
    await expect(server.app.ctx.db.deleteFrom('catalogue_history').execute()).rejects.toThrow(
      'append-only',
    );
  });
});

describe('two operators who edit the same item', () => {
  it('get one success and one request to reload', async () => {
    const seen = await packNow();
    const calls = Array.from({ length: 5 }, (_, n) =>
      retryWhileBusy(() => server.call('savePack', { ...seen, rate_minor: 800 + n }, operator)),
    );
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'not_now',
      message: expect.stringContaining('Someone has changed this'),
    });
    const kept = answers.find(({ status }) => status === 200);
    expect(await packNow()).toMatchObject({
      rate_minor: kept?.body.pack.rate_minor,
      version: seen.version + 1,
    });
    const late = await changePricing({ version: 999 });
    expect(late.body.code).toBe('not_now');
  });
});

describe('fifty items on sale', () => {
  it.each([
    ['plans', 'savePlan', newPlan],
    ['packs', 'savePack', newPack],
  ] as const)('are the most %s', async (kind, name, item) => {
    const save = (change: object) => server.call(name, { ...item, ...change } as never, operator);
    const sold = (await catalogue())[kind].filter(({ is_sold }) => is_sold).length;
    for (let number = sold; number < 50; number++)
      expect((await save({ name: `Number ${number}` })).status).toBe(200);
    const refused = await save({ name: 'One more' });
    expect(refused.body.fields).toEqual({ is_sold: expect.stringContaining('Withdraw one') });
    expect((await save({ name: 'One more', is_sold: false })).status).toBe(200);
  });
});

describe('an invalid change of the catalogue', () => {
  const cases: [string, object, string][] = [
    ['a price with a fraction', { rate_minor: 12.5 }, 'rate_minor'],
    ['a price below the minimum of the providers', { rate_minor: 99 }, 'rate_minor'],
    ['a negative price', { rate_minor: -600 }, 'rate_minor'],
    ['a price above the maximum of the providers', { rate_minor: 100_000_000 }, 'rate_minor'],
    ['a price as text', { rate_minor: '6.00' }, 'rate_minor'],
    ['no submissions', { count: 0 }, 'count'],
    ['too many submissions', { count: 10_000_001 }, 'count'],
    ['no name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(61) }, 'name'],
    ['a name with a control character', { name: 'a\u0000b' }, 'name'],
    ['position 0', { position: 0 }, 'position'],
    ['a sold flag as text', { is_sold: 'yes' }, 'is_sold'],
  ];
  it.each(cases)('is refused for a pack: %s', async (_, change, field) => {
    const refused = await server.call('savePack', { ...newPack, ...change } as never, operator);
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.fields ?? {})).toEqual([field]);
  });

  const planCases: [string, object, string][] = [
    ['no days', { period_days: 0 }, 'period_days'],
    ['more than ten years', { period_days: 3661 }, 'period_days'],
    ['negative submissions', { submissions: -1 }, 'submissions'],
    ['features as text', { features: 'all' }, 'features'],
    ['thirteen features', { features: Array.from({ length: 13 }, () => 'x') }, 'features'],
    ['a long feature', { features: ['x'.repeat(121)] }, 'features.0'],
    ['a highlighted flag as number', { highlighted: 1 }, 'highlighted'],
  ];
  it.each(planCases)('is refused for a plan: %s', async (_, change, field) => {
    const refused = await server.call('savePlan', { ...newPlan, ...change } as never, operator);
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.fields ?? {})).toEqual([field]);
  });

  const pricingCases: [string, object, string][] = [
    ['an unknown currency', { currency: 'ZZZ' }, 'currency'],
    ['a currency in lower case', { currency: 'gbp' }, 'currency'],
    ['a tax above 100%', { basis_points: 10_001 }, 'basis_points'],
    ['a tax with half a basis point', { basis_points: 17.5 }, 'basis_points'],
    ['a tax without a name', { tax_name: '' }, 'tax_name'],
  ];
  it.each(pricingCases)('is refused for currency and tax: %s', async (_, change, field) => {
    const refused = await changePricing(change);
    expect(Object.keys(refused.body.fields ?? {})).toEqual([field]);
  });
});
