import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { endpoints, roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { personalData } from '../../src/domains/account/store.ts';
import { whenEnded } from '../support/batches.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { assertAnswerDescribed } from '../support/openapi.ts';
import { pack, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createUser, password, type TestUser } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const server = await startPaymentServer({ LOG_LEVEL: 'silent', CHAT_BASE_URL: 'demo' });

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
  it('contains every column of what is stored about a person, and no data of others', async () => {
    const [person, other] = [await createUser(server), await createUser(server)];
    const { order_id, intent } = await buy(person);
    server.stripe.intents.refund(intent, 200);
    await server.eventsProcessed();
    const month = (await server.call('stripeIntent', { plan: { id: 'month' } }, person)).body;
    server.stripe.intents.succeed(server.stripe.intents.get(month.client_secret));
    await server.call('setPlan', { id: 'month', order_id: month.order_id }, person);
    const asked = await server.ask({ question: 'Answered?', query: {} }, person);
    const { body } = await server.upload('Prompt\ncell one\n', {
      ...person,
      fields: { from: 'a shop' },
    });
    const query = { file: body.file.id, preview: 1 };
    await server.ask({ questionWithVariable: '{{Prompt}}', query }, person);
    const foreign = await buy(other);
    const text = await (await server.download('exportUserData', {}, person)).text();
    const exported = JSON.parse(text);
    const answer = { status: 200, type: 'application/json', body: exported };
    assertAnswerDescribed(endpoints.exportUserData, answer);
    expect(exported).toMatchObject({
      users: [{ id: person.id, email: person.email }],
      orders: [
        { id: order_id, payment_method: 'card', total_minor: packPrice, billing_address },
        { id: month.order_id, type: 'plan', payment_status: 'paid' },
      ],
      order_lines: [
        { order_id, name: '500 submissions', quantity: 1, rate_minor: packPrice },
        { order_id: month.order_id },
      ],
      reversals: [{ amount_minor: 200 }],
      invoices: expect.arrayContaining([
        expect.objectContaining({ series: 'CN', total_minor: 200 }),
      ]),
      user_plans: [{ plan_id: 'month', order_id: month.order_id, revoked_at: null }],
      single_prompts: [{ template: 'Answered?', answer: asked.body.answer }],
      batches: [{ sheet_id: body.file.id, answered: 1 }],
      sheets: [{ id: body.file.id, sample: [['cell one']], metadata: { from: 'a shop' } }],
    });
    const [{ created_at }] = exported.users;
    expect(new Date(created_at).toISOString()).toBe(created_at);
    expect(text).not.toContain('+00:00');
    expect(text).not.toContain(foreign.order_id);
    expect(text).not.toContain(other.email);
    // What an answer costs the operator.
    expect(text).not.toMatch(/"(cost|unknown_costs)":/);
    await expectEveryColumn(exported);
  });

  it('lists every table, and names an owner wherever one refers to a person', async () => {
    const listed = Object.keys(personalData).toSorted();
    expect(await tableNames()).toEqual(listed);
    const { rows } = await sql<{ name: string }>`
      with recursive owned (id) as (
        select 'users'::regclass::oid
        union
        select conrelid from pg_constraint join owned on confrelid = owned.id where contype = 'f'
      )
      select relname as name from pg_class join owned on pg_class.oid = owned.id`.execute(
      server.app.ctx.db,
    );
    expect(rows.length).toBeGreaterThan(15);
    for (const { name } of rows)
      expect(personalData[name as keyof typeof personalData], name).not.toContain('no person');
  });

  it('reads each page only when the one before is sent', async () => {
    const person = await createUser(server);
    await insertLongPrompts(person, 300);
    const answer = await server.download('exportUserData', {}, person);
    const reader = answer.body?.getReader();
    await reader?.read();
    const { db } = server.app.ctx;
    await db.deleteFrom('single_prompts').where('user_id', '=', person.id).execute();
    let bytes = 0;
    for (let part = await reader?.read(); part?.value; part = await reader?.read())
      bytes += part.value.length;
    expect(bytes).toBeLessThan(20_000_000);
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
    const invoices = await db
      .selectFrom('invoices')
      .selectAll()
      .where('order_id', '=', order_id)
      .execute();
    expect(invoices.map(({ document }) => document.customer)).toEqual([
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

  it('leaves no word of its owner in any table or file, also not in answers stored for repeated requests', async () => {
    const admin = await createUser(server, { roleId: roles.admin, submissions: 100 });
    const { id, email, token } = await inviteMarkedClient(admin);
    const person = { id, email, token };
    const own = (key: string) => ({ token, headers: { 'idempotency-key': key } });
    const marked = { ...billing_address, name: 'Zzmark Payer', line1: 'Zzmark Lane' };
    await server.call('saveVariable', { variable: { name: 'zzmark', value: 'zzmark' } }, person);
    const asked = await server.ask({ question: 'zzmark?', query: {} }, own('ask'));
    expect(asked.body.answer).toContain('zzmark');
    const { body } = await server.upload('Prompt\nzzmark one\n', {
      ...own('upload'),
      name: 'zzmark.csv',
      fields: { zzmark: 'zzmark' },
    });
    const file = body.file.id;
    const query = { file, start: true };
    const acted = { token: admin.token, headers: { 'idempotency-key': 'acted' } };
    await server.ask({ query: { file, preview: 1 } }, own('preview'));
    await server.ask(
      { query: { ...query, outputs: ['zzmark'] }, switchedAs: { user_id: id } },
      acted,
    );
    await server.call(
      'stripeCreditIntent',
      { plan: [{ id: pack, quantity: 1 }], profile: { billing_address: marked } },
      own('order'),
    );
    const tables = await tablesWith('zzmark');
    for (const name of ['users', 'sheets', 'batches', 'idempotency_keys', 'orders'])
      expect(tables).toContain(name);
    expect((await deleteAccount(person)).status).toBe(200);
    await expect.poll(() => tablesWith('zzmark')).toEqual([]);
    await expect.poll(() => filesWith('zzmark')).toEqual([]);
    // The admin's idempotency keys still prevent repeated actions.
    expect((await server.call('addClient', markedClient(email), keyed(admin))).body.code).toBe(
      'idempotency_mismatch',
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
          retryWhileBusy(() => deleteAccount(person)),
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
      // A payment that arrives after the deletion would reach no one.
      people.map(() => [expect.stringMatching(/^(paid|review)$/), {}]),
    );
    await expectLedgerChecksToPass(server);
  });
});

describe('a deleted batch', () => {
  it('also deletes the answers that were stored for repeated requests, and no others', async () => {
    const person = await createUser(server, { submissions: 10 });
    const own = (key: string) => ({ token: person.token, headers: { 'idempotency-key': key } });
    const start = async (word: string, number: number) => {
      const { body } = await server.upload(`Prompt\n${word}\n`, own(`upload-${number}`));
      const query = { file: body.file.id, start: true };
      const request = { questionWithVariable: `{{Prompt}} ${word}`, query };
      await server.ask(
        { ...request, query: { ...query, start: false, preview: 1 } },
        own(`preview-${number}`),
      );
      const started = await server.ask(request, own(`start-${number}`));
      return { request, batch: started.body.batch };
    };
    const gone = await start('zzgone', 1);
    const kept = await start('zzkept', 2);
    await whenEnded(server, person, gone.batch?.id ?? '');
    await server.call('deleteBatch', { id: gone.batch?.id ?? '' }, person);
    expect(await tablesWith('zzgone')).toEqual([]);
    const repeated = await server.ask(gone.request, own('start-1'));
    expect([repeated.status, repeated.body.code]).toEqual([422, 'idempotency_mismatch']);
    expect(repeated.body.message).toContain('since been deleted');
    const again = await server.ask(kept.request, own('start-2'));
    expect(again.body.batch?.id).toBe(kept.batch?.id);
  });
});

const markedClient = (email: string) => ({
  first_name: 'Zzmark',
  last_name: 'Zzmark',
  email,
  credits: 20,
});
const keyed = ({ token }: TestUser) => ({ token, headers: { 'idempotency-key': 'invite' } });

/** A client of this admin whose name and address are marked, invited with an idempotency key. */
async function inviteMarkedClient(admin: TestUser): Promise<TestUser> {
  const email = 'zzmark@example.test';
  const { body } = await server.call('addClient', markedClient(email), keyed(admin));
  const invitation = await server.tokenSentTo(email, 'invites you');
  await server.call('resetPassword', { token: invitation, password });
  const signedIn = await server.call('login', { email, password });
  return { id: body.client.id, email, token: signedIn.body.user_token };
}

/** Files that contain these words, without those of the database and the outbox. */
function filesWith(words: string): string[] {
  const { dataDirectory } = server.app.ctx.config;
  return readdirSync(dataDirectory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/^(database|outbox)\b/.test(relative(dataDirectory, path)))
    .filter((path) => path.includes(words) || readFileSync(path, 'utf8').includes(words));
}

/** 100 kB each, so that 300 are more than all buffers between database and browser hold. */
async function insertLongPrompts(person: TestUser, count: number): Promise<void> {
  await sql`
    insert into single_prompts (id, user_id, actor_id, template, rows, state, asked_at)
    select ${person.id} || n, ${person.id}, ${person.id}, repeat('x', 100000), 1, 'failed', now()
    from generate_series(1, ${count}::integer) n`.execute(server.app.ctx.db);
}

async function expectEveryColumn(exported: Record<string, object[]>): Promise<void> {
  const tables = await server.app.ctx.db.introspection.getTables();
  for (const { name, columns } of tables) {
    const table = personalData[name as keyof typeof personalData];
    const [row] = exported[name] ?? [];
    if (typeof table !== 'object' || !row) continue;
    const shown = columns
      .map((column) => column.name)
      .filter((column) => !(column in table.omitted));
    expect(Object.keys(row).toSorted(), name).toEqual(shown.toSorted());
  }
}

async function tableNames(): Promise<string[]> {
  const tables = await server.app.ctx.db.introspection.getTables();
  return tables
    .filter(({ schema, name }) => (!schema || schema === 'public') && !name.startsWith('kysely_'))
    .map(({ name }) => name)
    .toSorted();
}

/** Tables that contain these words anywhere, without the queue of emails. */
async function tablesWith(words: string): Promise<string[]> {
  const { db } = server.app.ctx;
  const found = [];
  for (const name of await tableNames()) {
    const rows = await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    if (JSON.stringify(rows).toLowerCase().includes(words.toLowerCase())) found.push(name);
  }
  return found.toSorted();
}
