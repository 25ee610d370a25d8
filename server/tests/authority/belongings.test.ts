import { randomUUID } from 'node:crypto';
import { can, type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { pack, packCount, startPaymentServer } from '../support/payment-server.ts';
import { as, createUser } from '../support/users.ts';
import { rowsNaming } from './audit-proof.ts';
import { callTable } from './call-table.ts';
import { accountSnapshot, forgedFields, send } from './callers.ts';

/** A client of another admin, with a paid and an unpaid order. */
const server = await startPaymentServer();
const admin = await createUser(server, { roleId: roles.admin });
const client = await createUser(server, { adminId: admin.id });
const stranger = await createUser(server, {
  adminId: (await createUser(server, { roleId: roles.admin })).id,
});
const session = await server.app.ctx.db
  .selectFrom('sessions')
  .select('id')
  .where('user_id', '=', stranger.id)
  .executeTakeFirst();
const paid = (await server.buyByCard(stranger)).order_id;
const waiting = (await server.orderByCard(stranger)).order_id;
const other = { ...stranger, paid, waiting, session: session?.id ?? '' };
await server.eventsProcessed();

const malformed = [
  '../../etc/passwd',
  'http://127.0.0.1/',
  '%00',
  'a\u0000b',
  "' or 1=1 --",
  '',
  'X'.repeat(201),
  7,
  ['x'],
  {},
  null,
];
/** These values mean no order where an order is optional. */
const namesNone: unknown[] = ['', null];
const shapeOf = (endpoint: Endpoint) =>
  Object.keys((endpoint.request as unknown as { shape?: object }).shape ?? {});
const calls = Object.entries(endpoints) as [EndpointName, Endpoint][];

const bought = ['orders', 'order_lines', 'payments', 'invoices', 'user_plans'];
const traced = ['audit_entries', 'credit_entries', 'credit_accounts', ...bought];

/** All rows of these tables. */
function rowsOf(tables: readonly string[]): Promise<unknown> {
  const statements = tables.map(
    (table) => sql`select t::text as row from ${sql.table(table)} t order by 1`,
  );
  return Promise.all(
    statements.map(async (statement) => (await statement.execute(server.app.ctx.db)).rows),
  );
}

/** All rows about money, plans and rights. */
const readEffects = async () => [
  await rowsOf(traced),
  await server.app.ctx.db.selectFrom('users').select(rights).orderBy('id').execute(),
];
const rights = [
  'id',
  'email',
  'role_id',
  'admin_id',
  'suspended_at',
  'deleted_at',
  'password_hash',
] as const;

const orderFields = calls.flatMap(([name, endpoint]) =>
  shapeOf(endpoint)
    .filter((field) => field === 'order_id' || field === 'orderId')
    .map((field) => [`${name}: ${field}`, { name, endpoint, field }] as const),
);

it('finds an order id in seven calls', () => {
  expect(orderFields.length).toBeGreaterThanOrEqual(7);
});

describe.each(orderFields)('%s', (_words, { name, endpoint, field }) => {
  it('answers another user’s order like an unknown one and changes nothing', async () => {
    const before = await readEffects();
    const request = { ...callTable[name].ask({ id: client.id, sheet: '', batch: '' }) };
    const ways = [
      { token: client.token, more: {} },
      { token: admin.token, more: {} },
      { token: admin.token, more: as(client) },
    ];
    for (const { token, more } of ways) {
      const naming = (value: unknown) =>
        send(server, endpoint, { ...request, ...more, [field]: value }, token);
      const absent = await naming(randomUUID());
      expect(absent.status).toBe(404);
      for (const id of [other.paid, other.waiting]) expect(await naming(id)).toEqual(absent);
      for (const value of malformed.filter(
        (value) => name !== 'setPlan' || !namesNone.includes(value),
      ))
        expect([404, 422]).toContain((await naming(value)).status);
    }
    expect(await readEffects()).toEqual(before);
  });
});

interface PurchaseField {
  field: string;
  /** An id that is on sale. */
  known: string;
  naming: (id: unknown) => Record<string, unknown>;
}

const purchaseFields: Partial<Record<EndpointName, PurchaseField[]>> = {
  createOrder: [
    { field: 'plan', known: 'quarter', naming: (id) => ({ type: 'plan', plan: { id } }) },
    {
      field: 'items',
      known: pack,
      naming: (id) => ({ type: 'credits', items: [{ id, quantity: 1 }] }),
    },
  ],
  stripeIntent: [{ field: 'plan', known: 'quarter', naming: (id) => ({ plan: { id } }) }],
  stripeCreditIntent: [
    { field: 'plan', known: pack, naming: (id) => ({ plan: [{ id, quantity: 1 }] }) },
  ],
};
const purchases = Object.entries(purchaseFields).flatMap(([name, wanted]) =>
  wanted.map(
    (order) =>
      [`${name}: ${order.field}`, { ...order, endpoint: endpoints[name as EndpointName] }] as const,
  ),
);

it('lists every call that takes a profile, a customer or items', () => {
  const selling = calls.filter(([, endpoint]) =>
    shapeOf(endpoint).some((key) => ['profile', 'customer', 'items'].includes(key)),
  );
  expect(selling.map(([name]) => name).sort()).toEqual(Object.keys(purchaseFields).sort());
});

describe.each(purchases)('%s', (_words, { endpoint, known, naming }) => {
  it('sells nothing under another user’s id and answers it like an unknown one', async () => {
    const before = await readEffects();
    const asking = (id: unknown) => send(server, endpoint, naming(id), client.token);
    const absent = await asking(randomUUID());
    expect([404, 422]).toContain(absent.status);
    for (const id of [other.id, other.paid, other.waiting, other.session])
      expect(await asking(id)).toEqual(absent);
    for (const id of malformed) expect([404, 422]).toContain((await asking(id)).status);
    expect(await readEffects()).toEqual(before);
  });

  it('orders for no other user, even if profile or customer names one', async () => {
    await server.call('userBillingAddress', { billing_address: { city: 'Castletown' } }, other);
    await server.call('userBillingAddress', { billing_address: { city: 'Peel' } }, client);
    const theirs = await rowsNaming(server, [other.id]);
    const before = await readEffects();
    const order = (more: object) =>
      send(server, endpoint, { ...naming(known), ...more }, client.token);
    const named = [
      (id: string) => order({ profile: { user_id: id } }),
      ...(shapeOf(endpoint).includes('customer')
        ? [(id: string) => order({ customer: { user_id: id } })]
        : []),
    ];
    for (const orderFor of named) {
      const absent = await orderFor(randomUUID());
      expect(absent.status).toBe(404);
      for (const id of [other.id, other.paid]) expect(await orderFor(id)).toEqual(absent);
    }
    expect(await readEffects()).toEqual(before);
    // All else in a profile is only data.
    const data = { id: other.id, order_id: other.paid, customer: other.id };
    const { status, body } = await order({ profile: { ...data, user_id: client.id } });
    expect(status, body).toBe(200);
    expect(body).not.toContain(other.id);
    const stored = await server.app.ctx.db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', JSON.parse(body).order_id)
      .executeTakeFirst();
    expect(stored).toMatchObject({
      user_id: client.id,
      actor_id: client.id,
      billing_address: { city: 'Peel' },
    });
    for (const profile of [other.id, [other.id], 7])
      expect(
        (await send(server, endpoint, { ...naming(known), profile }, client.token)).status,
      ).toBe(422);
    expect(await rowsNaming(server, [other.id])).toEqual(theirs);
  });
});

describe('an invoice', () => {
  it('of another user cannot be fetched by its number', async () => {
    const { order_id } = await server.buyByCard(client);
    const invoices = await server.app.ctx.db
      .selectFrom('invoices')
      .select('number')
      .where('order_id', '=', other.paid)
      .execute();
    const wanted = [...invoices.map(({ number }) => number), 'CN-0001', 'CN-9999'];
    const answers = await Promise.all(
      wanted.map((credit_note) =>
        send(server, endpoints.getInvoice, { orderId: order_id, credit_note }, client.token),
      ),
    );
    expect(new Set(answers.map(({ body, status }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  });
});

describe('a session', () => {
  it('of another user is answered like an unknown one', async () => {
    const naming = (session_id: string) =>
      send(server, endpoints.revokeSession, { session_id }, client.token);
    const absent = await naming(randomUUID());
    expect(absent.status).toBe(404);
    expect(await naming(other.session)).toEqual(absent);
    expect((await server.call('fetchUserDetail', {}, other)).status).toBe(200);
  });
});

describe('an order by an admin for a client', () => {
  it('belongs to the client, gives them the submissions, and its audit entries name the admin', async () => {
    const { body } = await server.call(
      'stripeCreditIntent',
      { plan: [{ id: 'pack-500', quantity: 1 }], ...as(client) },
      admin,
    );
    const had = await server.balance(client);
    server.stripe.intents.succeed(server.stripe.intents.get(body.client_secret));
    await server.call('confirmPayment', { order_id: body.order_id, ...as(client) }, admin);
    await server.eventsProcessed();
    expect(await server.balance(client)).toBe(had + packCount);
    expect(await server.balance(admin)).toBe(0);
    const entries = await server.app.ctx.db
      .selectFrom('audit_entries')
      .select(['act', 'actor_id'])
      .where('subject_id', '=', client.id)
      .where('detail', '@>', sql`${JSON.stringify({ order: body.order_id })}::jsonb` as never)
      .execute();
    expect(entries).toEqual([
      { act: 'order_made', actor_id: admin.id },
      { act: 'order_paid', actor_id: admin.id },
    ]);
  });
});

const operatorCalls = calls.filter(
  ([, { requires }]) => requires !== undefined && !can(roles.admin, requires),
);
const idsOfOperator = ['user_id', 'admin_id', 'payment_id', 'id'];

describe.each(operatorCalls)('%s by an operator', (name, endpoint) => {
  it('finds nothing by an unknown or malformed id and changes nothing', async () => {
    const operator = await createUser(server, { roleId: roles.operator });
    const before = await readEffects();
    for (const field of shapeOf(endpoint).filter((key) => idsOfOperator.includes(key))) {
      const request = callTable[name].ask({ id: client.id, sheet: '', batch: '' });
      const naming = (value: unknown) =>
        send(server, endpoint, { ...request, [field]: value }, operator.token);
      const absent = await naming(randomUUID());
      expect(absent.status).toBe(404);
      expect(await naming(randomUUID())).toEqual(absent);
      // Null: no admin, or the provider of the environment.
      const mayBeNull = field === 'admin_id' || name === 'testProvider';
      for (const value of malformed.filter((value) => value !== null || !mayBeNull))
        expect([404, 422]).toContain((await naming(value)).status);
    }
    expect(await readEffects()).toEqual(before);
  });

  it('changes only what it is for, whatever else its body contains', async () => {
    const operator = await createUser(server, { roleId: roles.operator });
    const [target, bystander] = [
      await createUser(server, { adminId: admin.id }),
      await createUser(server, { adminId: admin.id }),
    ];
    const before = {
      target: await accountSnapshot(server, target),
      others: await Promise.all([operator, bystander].map((one) => accountSnapshot(server, one))),
    };
    const purchases = await rowsOf(bought);
    const request = callTable[name].ask({ id: target.id, sheet: '', batch: '' });
    await send(server, endpoint, { ...forgedFields, ...request }, operator.token);
    expect(
      await Promise.all([operator, bystander].map((one) => accountSnapshot(server, one))),
    ).toEqual(before.others);
    expect(await accountSnapshot(server, target)).toEqual({ ...before.target, ...intended[name] });
    expect(await rowsOf(bought)).toEqual(purchases);
  });
});

/** The intended effect of each call. */
const intended: Partial<Record<EndpointName, object>> = {
  setRole: { role_id: 2, admin_id: null },
  moveClient: { admin_id: null },
  setSuspended: { suspended_at: expect.any(Date) },
};

describe('the fields of an upload', () => {
  it('are stored as metadata and do not change the owner or the data of the sheet', async () => {
    const fields = {
      ...Object.fromEntries(
        Object.entries(forgedFields).map(([key, value]) => [key, String(value)]),
      ),
      id: other.paid,
      user_id: other.id,
      actor_id: other.id,
      rows: '999',
      bytes: '0',
      deleted_at: '2020-01-01T00:00:00Z',
      switchedAs: JSON.stringify({ role: 'Admin' }),
    };
    const before = await accountSnapshot(server, client);
    const { body, status } = await server.upload('Prompt\none\ntwo\n', {
      token: client.token,
      fields,
    });
    expect(status).toBe(200);
    const sheet = await server.app.ctx.db
      .selectFrom('sheets')
      .selectAll()
      .where('id', '=', body.file.id)
      .executeTakeFirstOrThrow();
    expect(sheet).toMatchObject({
      user_id: client.id,
      actor_id: client.id,
      rows: 2,
      deleted_at: null,
    });
    expect(sheet.bytes).toBeGreaterThan(0);
    expect(await accountSnapshot(server, client)).toEqual(before);
  });
});
