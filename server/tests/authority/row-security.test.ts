import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { openDatabase, openForCopy } from '../../src/db/connect.ts';
import type { Schema } from '../../src/db/schema.ts';
import type { PersonScope, Scope } from '../../src/db/scope.ts';
import { addCostParts } from '../../src/domains/providers/store.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { startPaymentServer } from '../support/payment-server.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestUser } from '../support/users.ts';
import { as, createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';
import { modelToSave, providerToSave } from './call-table.ts';

/** Each table with an owner, and the SQL for the owner of a row. */
const owners: Partial<Record<keyof Schema, string>> = {
  users: 'id',
  sessions: 'user_id',
  email_links: 'user_id',
  idempotency_keys: 'user_id',
  audit_entries: 'subject_id',
  credit_accounts: 'user_id',
  credit_entries: 'user_id',
  client_limits: 'user_id',
  notifications: 'user_id',
  former_clients: 'client_id',
  user_plans: 'user_id',
  billing_addresses: 'user_id',
  sheets: 'user_id',
  variables: 'user_id',
  batches: 'user_id',
  batch_counts: 'user_id',
  answer_counts: 'user_id',
  slices: '(select user_id from batches where batches.id = batch_id)',
  results: '(select user_id from batches where batches.id = batch_id)',
  earlier_problems: '(select user_id from batches where batches.id = batch_id)',
  single_prompts: 'user_id',
  orders: 'user_id',
  order_lines: '(select user_id from orders where orders.id = order_id)',
  payments: 'user_id',
  reversals: '(select user_id from payments where payments.id = payment_id)',
  invoices: '(select user_id from orders where orders.id = order_id)',
};
const tables = Object.entries(owners) as [keyof Schema, string][];

/** Guarded without an owner: only the server itself reads webhooks. */
const serverTables = [
  'provider_events',
  'providers',
  'models',
  'audit_counts',
  'cost_sums',
  'cost_parts',
];
const sharedTables = [
  'rate_limits',
  'transaction_receipts',
  'storage_probes',
  'plans',
  'packs',
  'tax',
  'catalogue_history',
  'cooldowns',
  'demo_mark',
  'invoice_numbers',
  'model_formats',
  'kysely_migration',
  'kysely_migration_lock',
];

let a: TestUser;
let b: TestUser;
let client: TestUser;
const server = await startPaymentServer({ CHAT_BASE_URL: 'demo' });
const admin = await createUser(server, { roleId: 2, submissions: 100 });
[a, b, client] = await Promise.all([
  createUser(server),
  createUser(server),
  createUser(server, { adminId: admin.id, submissions: 10 }),
]);
await addModel();
for (const person of [a, b]) await useEverything(person);
await server.eventsProcessed();

async function addModel(): Promise<void> {
  const operator = await createUser(server, { roleId: 3 });
  const { provider } = (await server.call('saveProvider', providerToSave, operator)).body;
  await server.call(
    'saveModel',
    { ...modelToSave, options: [], provider_id: provider.id },
    operator,
  );
}

/** Gives the user a row in every table. */
async function useEverything(person: TestUser): Promise<void> {
  // Adds the costs of an earlier person to the sums. Those of this one stay parts.
  await addCostParts(server.app.ctx.db);
  await server.call(
    'setPlan',
    { id: 'free' },
    { token: person.token, headers: { 'idempotency-key': randomUUID() } },
  );
  await server.call('saveVariable', { variable: { name: 'tone', value: 'kind' } }, person);
  await server.call('userBillingAddress', { billing_address: { city: 'Douglas' } }, person);
  await server.call('sendResetLinkEmail', { email: person.email });
  await server.tokenSentTo(person.email, 'password');
  await server.ask({ question: 'What is baked today?', query: {} }, person);
  const file = (await server.upload('Prompt\none\ntwo\n', person)).body.file.id;
  const { batch } = (await server.ask({ query: { file, start: true } }, person)).body;
  await until(
    async () =>
      (await server.call('getBatch', { id: batch?.id ?? '' }, person)).body.batch.held === 0,
  );
  const { order_id } = await server.buyByCard(person);
  const { db, clock } = server.app.ctx;
  await db
    .insertInto('earlier_problems')
    .values({ batch_id: batch?.id ?? '', row: 0, problem: 'The call failed.' })
    .execute();
  await db
    .insertInto('former_clients')
    .values({ client_id: person.id, admin_id: admin.id, left_at: clock.now() })
    .execute();
  await db
    .insertInto('notifications')
    .values({
      id: randomUUID(),
      user_id: person.id,
      kind: 'payment',
      text: 'Paid.',
      path: '/orders',
      wants_email: false,
      batch_id: null,
      created_at: clock.now(),
    })
    .execute();
  await db
    .insertInto('client_limits')
    .values({ user_id: person.id, monthly_limit: null })
    .execute();
  const payment = await db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow();
  const reversal = { kind: 'refund', state: 'returned', amount_minor: 1 } as const;
  await db
    .insertInto('reversals')
    .values({ provider_ref: randomUUID(), payment_id: payment.id, ...reversal })
    .execute();
}

const at = (scope: Scope) => server.app.ctx.scopedDb(scope);
const alone = (person: TestUser): PersonScope => ({
  subjectId: person.id,
  actorId: person.id,
  withClients: false,
});

async function ownersIn(db: Kysely<Schema>, table: keyof Schema, owner: string): Promise<string[]> {
  const rows = await sql<{
    owner: string;
  }>`select distinct ${sql.raw(owner)} as owner from ${sql.table(table)}`.execute(db);
  return rows.rows.map((row) => row.owner).sort();
}

async function count(db: Kysely<Schema>, table: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
}

it('every table has a policy or is listed as shared', async () => {
  const { rows } = await sql<{ relname: string; is_guarded: boolean }>`
    select relname, relrowsecurity and exists (select from pg_policies
      where schemaname = 'public' and tablename = relname) as is_guarded
    from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`.execute(
    at('system'),
  );
  const guarded = rows.filter(({ is_guarded }) => is_guarded).map(({ relname }) => relname);
  expect(guarded.sort()).toEqual([...Object.keys(owners), ...serverTables].sort());
  const open = rows.filter(({ is_guarded }) => !is_guarded).map(({ relname }) => relname);
  expect(open.sort()).toEqual([...sharedTables].sort());
});

// The embedded database has only the owner of the tables, to whom no policy applies.
describe('a query in the role of the product', () => {
  it.each(tables)(
    'without a subject finds no %s, and with a subject only their own',
    async (table, owner) => {
      const all = await ownersIn(at('system'), table, owner);
      expect(all).toEqual(expect.arrayContaining([a.id, b.id]));
      expect(await count(at('anonymous'), table)).toBe(0);
      const found = await ownersIn(at(alone(a)), table, owner);
      // Names in one's own audit log are visible.
      const others = table === 'users' ? found.filter((id) => id !== admin.id) : found;
      expect(others).toEqual([a.id]);
    },
  );

  it('cannot read webhooks', async () => {
    expect(await count(at('system'), 'provider_events')).toBeGreaterThan(0);
    for (const scope of ['anonymous', alone(a)] as const)
      expect(await count(at(scope), 'provider_events')).toBe(0);
  });

  it('without a subject finds no row in any guarded table, although each has rows', async () => {
    const { rows } = await sql<{ tablename: string }>`
      select distinct tablename from pg_policies where schemaname = 'public'`.execute(at('system'));
    expect(rows.length).toBeGreaterThan(0);
    for (const { tablename } of rows) {
      expect(await count(at('system'), tablename), tablename).toBeGreaterThan(0);
      expect(await count(at('anonymous'), tablename), tablename).toBe(0);
    }
  });

  it('cannot change or delete rows of others or insert rows in their name', async () => {
    const db = at(alone(a));
    const sheet = await at('system')
      .selectFrom('sheets')
      .select('id')
      .where('user_id', '=', b.id)
      .executeTakeFirstOrThrow();
    const changed = await db
      .updateTable('sheets')
      .set({ name: 'mine' })
      .where('id', '=', sheet.id)
      .executeTakeFirst();
    expect(changed.numUpdatedRows).toBe(0n);
    const gone = await db.deleteFrom('variables').where('user_id', '=', b.id).executeTakeFirst();
    expect(gone.numDeletedRows).toBe(0n);
    const forged = db
      .insertInto('variables')
      .values({ user_id: b.id, name: 'forged', value: '' })
      .execute();
    await expect(forged).rejects.toThrow('row-level security');
    const given = db.updateTable('variables').set({ user_id: b.id }).execute();
    await expect(given).rejects.toThrow('row-level security');
  });

  it('reaches an admin’s clients only in calls about the admin’s account, and otherwise only the client acted for', async () => {
    const own = { subjectId: admin.id, actorId: admin.id };
    const accounts = (scope: Scope) => ownersIn(at(scope), 'credit_accounts', 'user_id');
    expect(await accounts({ ...own, withClients: true })).toEqual([admin.id, client.id].sort());
    expect(await accounts({ ...own, withClients: false })).toEqual([admin.id]);
    expect(await accounts({ subjectId: client.id, actorId: admin.id, withClients: false })).toEqual(
      [client.id],
    );
    expect(
      (await server.call('getAvailableCredits', as(client), admin)).body.creditsAvailable,
    ).toBe(10);
  });

  it('never uses the scope its connection had before', async () => {
    const scopes = [alone(a), alone(b), 'anonymous' as const, alone(admin)];
    for (let round = 0; round < 10; round++) {
      const seen = await Promise.all(
        Array.from({ length: 40 }, async (_, turn) => {
          const scope = scopes[(round + turn) % scopes.length] ?? 'anonymous';
          const found = await ownersIn(at(scope), 'sessions', 'user_id');
          return [scope === 'anonymous' ? [] : [scope.subjectId], found];
        }),
      );
      for (const [wanted, found] of seen) expect(found).toEqual(wanted);
    }
  });

  it('cannot change the audit log or create tables in any scope', async () => {
    for (const scope of ['anonymous', 'system', alone(a)] as const) {
      await expect(
        sql`update audit_entries set act = 'nothing'`.execute(at(scope)),
      ).rejects.toThrow('permission denied');
      await expect(sql`delete from audit_entries`.execute(at(scope))).rejects.toThrow(
        'permission denied',
      );
      await expect(sql`truncate audit_entries`.execute(at(scope))).rejects.toThrow(
        'permission denied',
      );
      await expect(
        sql`alter table sheets disable row level security`.execute(at(scope)),
      ).rejects.toThrow('must be owner');
      await expect(sql`create table mine (id text)`.execute(at(scope))).rejects.toThrow(
        'permission denied',
      );
    }
  });

  it('works in an installation that started without such a role', async () => {
    const { DATABASE_URL = '' } = server.settings;
    const [role, owner] = [new URL(DATABASE_URL), await createPostgresDatabase()];
    role.pathname = new URL(owner).pathname;
    const restarted = await startTestServer({
      DATABASE_URL: owner,
      DATABASE_OWNER_URL: '',
      CHAT_BASE_URL: 'demo',
    });
    const person = await createUser(restarted);
    await restarted.call('saveVariable', { variable: { name: 'tone', value: 'kind' } }, person);
    expect(await count(restarted.app.ctx.scopedDb('anonymous'), 'variables')).toBe(1);
    Object.assign(restarted.settings, { DATABASE_URL: role.href, DATABASE_OWNER_URL: owner });
    await restarted.restart();
    expect(await count(restarted.app.ctx.scopedDb('anonymous'), 'variables')).toBe(0);
    expect((await restarted.call('getVariables', {}, person)).body.variables).toEqual([
      { name: 'tone', value: 'kind' },
    ]);
    await restarted.call('sendResetLinkEmail', { email: person.email });
    await restarted.tokenSentTo(person.email, 'password');
  });

  it('is refused in a role that bypasses the policies', async () => {
    const { DATABASE_OWNER_URL = '' } = server.settings;
    const settings = { ...server.settings, DATABASE_URL: DATABASE_OWNER_URL };
    await expect(openDatabase(parseConfig(readEnvironment(settings)).database)).rejects.toThrow(
      'must connect as another role',
    );
  });

  it('is refused, and so is a backup, without the owner or with one of another database', async () => {
    const databaseWith = (DATABASE_OWNER_URL: string) =>
      parseConfig(readEnvironment({ ...server.settings, DATABASE_OWNER_URL })).database;
    const alone = databaseWith('');
    for (const open of [openDatabase, openForCopy])
      await expect(open(alone)).rejects.toThrow(
        /DATABASE_URL connects as .* Set DATABASE_OWNER_URL/,
      );
    const elsewhere = databaseWith(await createPostgresDatabase());
    await expect(openDatabase(elsewhere)).rejects.toThrow('lead to two databases');
  });
});
