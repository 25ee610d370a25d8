import {
  batchStates,
  creditBuckets,
  formatFindings,
  judgements,
  limitScopes,
  linkPurposes,
  modelAudiences,
  notificationKinds,
  orderTypes,
  pauseReasons,
  paymentMethods,
  paymentStates,
  providerKinds,
  reversalKinds,
  reversalStates,
  roles,
  rowStates,
  singlePromptStates,
  sliceStates,
} from '@rowmill/contract';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { Argon2Passwords } from '../../src/adapters/argon2-passwords.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { EmbeddedDatabase } from '../../src/db/embedded/embedded-database.ts';
import { embeddedDialect } from '../../src/db/embedded/embedded-dialect.ts';
import { findBreaches, findBrokenInvariants } from '../../src/db/invariants.ts';
import { lastMigrationOf, latestMigration, migrate } from '../../src/db/migrate.ts';
import { postgresConnector } from '../../src/db/postgres-client.ts';
import { openPlain } from '../../src/db/postgres-database.ts';
import type { Schema } from '../../src/db/schema.ts';
import type { Db } from '../../src/db/transaction.ts';
import { RowSet } from '../../src/domains/batches/slices/row-set.ts';
import { addCostParts } from '../../src/domains/providers/store.ts';
import { closeAtEnd } from '../support/closing.ts';
import { createPostgresDatabase, isPostgres } from '../support/databases.ts';
import { until } from '../support/waiting.ts';

let db: Db;
beforeAll(async () => {
  db = await openUnmigrated();
  await migrate(db, '0012-given-back');
  for (const statement of rowsOf0012) await sql.raw(statement).execute(db);
  await migrate(db);
});

async function openUnmigrated(): Promise<Db> {
  if (isPostgres) {
    const { scopedDb, close } = openPlain(postgresConnector(await createPostgresDatabase()));
    closeAtEnd(close);
    return scopedDb('system');
  }
  const embedded = await EmbeddedDatabase.open(null);
  closeAtEnd(() => embedded[Symbol.asyncDispose]());
  return new Kysely<Schema>({ dialect: embeddedDialect(embedded) });
}

/** Of the password "plain straw 47 winter". */
const hashInBase64Url =
  '$argon2id$v=19$m=19456,t=2,p=1$tQEPKNFqrC_62ug8-ekszA$VEPYE4--ZtSOOdj9GnGUoJzVsh0bbSHoYys-fhHRtWQ';

const selectedRows = [0, 1, 2, 3, 4, 8, 15, 16, 23, 1_000];

/**
 * A paused batch with 3 of 10 rows answered, one failed and one empty, 5 submissions reserved, a
 * single prompt, an order that was refunded.
 */
const rowsOf0012 = [
  `insert into users (id, email, first_name, last_name, role_id, created_at, password_hash)
   values ('u', 'u@example.test', 'Una', 'User', 1, now(), '${hashInBase64Url}')`,
  `insert into links (id, user_id, purpose, token_hash, created_at, expires_at) values ('l', 'u', 'invitation', 'hash', now(), now())`,
  `insert into throttles (key, tries, resets_at) values ('sign-in:1', 4, now())`,
  `insert into rests (model, until) values ('m', '2030-01-01')`,
  `insert into client_limits (user_id, told_low_at) values ('u', '2024-01-01')`,
  `insert into sheets (id, user_id, actor_id, name, bytes, encoding, delimiter, header, is_sure, columns, rows, blank_rows,
     candidates, sample, report, metadata, offsets, created_at)
   values ('s', 'u', 'u', 'sheet.csv', 1, 'utf-8', ',', true, true, '["Text"]', 10, 0, '[]', '[]', '{}', '{}', '[]', now())`,
  `insert into batches (id, user_id, actor_id, sheet_id, name, state, pause_reason, told_reason, question, variables, options,
     model, price, selection, fingerprint, rows, answered, failed, reserved, held, charged, mark_at, mark_rows, older_at, older_rows, created_at)
   values ('b', 'u', 'u', 's', 'sheet.csv', 'paused', 'provider_down', 'provider_down', '{{Text}}', '{}', '{}',
     'm', 1, '${JSON.stringify(selectedRows)}', 'f', 10, 3, 2, 10, 5, 3, '2024-01-02', 2, '2024-01-01', 1, now())`,
  `insert into results (batch_id, row, state, answer) select 'b', n, 'answered', 'yes' from generate_series(0, 2) n`,
  `insert into results (batch_id, row, state, problem) values ('b', 3, 'failed', 'The row is blank: there was nothing to ask.'), ('b', 4, 'failed', 'Refused.')`,
  `insert into slices (batch_id, first, count, state, crashes, trial, accused) values ('b', 0, 10, 'idle', 2, '[4]', '{"4": 1}')`,
  `insert into questions (id, user_id, actor_id, template, rows, state, held, ask_key, asked_at)
   values ('q', 'u', 'u', 'Why?', 1, 'asking', 2, 'key', now())`,
  `insert into orders (id, user_id, actor_id, type, description, submissions, total_minor, tax_minor, tax_name, tax_basis_points,
     currency, provider, payment_status, billing_address, granted, taken_back, refunded_minor, created_at, paid_at)
   values ('o', 'u', 'u', 'credits', 'Submissions', 10, 600, 100, 'VAT', 2000, 'GBP', 'card', 'refunded', '{}', 10, 10, 600, now(), now())`,
  `insert into order_lines (order_id, position, item_id, name, quantity, count, rate_minor) values ('o', 0, 'pack', 'Pack', 1, 10, 600)`,
  `insert into payments (id, order_id, user_id, attempt, provider, provider_ref, payment_status, give_back_refusals, give_back_problem, created_at)
   values ('p', 'o', 'u', 1, 'card', 'pi', 'paid', 2, 'no funds', now())`,
  `insert into provider_events (provider, event_id, kind, hint, received_at)
   values ('card', 'evt', 'paid', '{}', now()), ('wallet', 'WH', 'paid', '{}', now())`,
  // The queue creates its own tables after the first migration.
  `create schema jobs`,
  `create table jobs.job (name text, data jsonb)`,
  `insert into jobs.job values
     ('billing.event', '{"provider": "wallet", "eventId": "WH"}'),
     ('batches.mail', '{"batchId": "b", "kind": "paused"}'),
     ('credits.low-balance', '{"userId": "u"}'),
     ('plans.mail', '{"userId": "u", "planId": "month", "endsAt": "2024-01-01T00:00:00.000Z"}')`,
  `insert into reversals (provider_ref, payment_id, kind, state, amount_minor) values ('re', 'p', 'refund', 'taken', 600)`,
  `insert into papers (series, sequence, number, order_id, reversal_ref, issued_at, total_minor, document)
   values ('INV', 1, 'INV-1', 'o', null, now(), 600, '{}'), ('CN', 1, 'CN-1', 'o', 're', now(), 600, '{}')`,
  `update paper_numbers set last = 1`,
  `insert into credit_accounts (user_id, available, held, spent, owed) values ('u', 0, 7, 3, 8)`,
  `insert into credit_entries (id, at, user_id, from_pot, to_pot, amount, cause) values
     ('1', now(), 'u', 'world', 'available', 2, 'gift'),
     ('2', now(), 'u', 'world', 'available', 10, 'order:o'),
     ('3', now(), 'u', 'available', 'held', 10, 'hold:b:1'),
     ('4', now(), 'u', 'held', 'spent', 3, 'settle:b:1'),
     ('5', now(), 'u', 'held', 'available', 2, 'release:b:1'),
     ('6', now(), 'u', 'available', 'held', 2, 'question:q'),
     ('7', now(), 'u', 'available', 'world', 2, 'reverse:o:1'),
     ('8', now(), 'u', 'world', 'owed', 8, 'reverse:o:1:owed')`,
];

it('rewrites password hashes in the standard format', async () => {
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .executeTakeFirstOrThrow();
  const passwords = new Argon2Passwords();
  expect(await passwords.isRight('plain straw 47 winter', password_hash)).toBe(true);
  expect(await passwords.isRight('plain straw 47 summer', password_hash)).toBe(false);
  expect(passwords.isOutdated(password_hash ?? '')).toBe(false);
});

it('keeps every row of a database that was at 0012', async () => {
  expect(await db.selectFrom('email_links').select('purpose').execute()).toEqual([
    { purpose: 'invitation' },
  ]);
  expect(await db.selectFrom('rate_limits').select('attempts').execute()).toEqual([
    { attempts: 4 },
  ]);
  expect(await db.selectFrom('cooldowns').selectAll().execute()).toEqual([
    { model: 'm', until: new Date('2030-01-01') },
  ]);
  expect(await db.selectFrom('client_limits').selectAll().executeTakeFirst()).toMatchObject({
    low_balance_notified_at: new Date('2024-01-01'),
  });
  expect(await db.selectFrom('sheets').selectAll().executeTakeFirst()).toMatchObject({
    dialect_confirmed: true,
  });
  expect(await db.selectFrom('batches').selectAll().executeTakeFirst()).toMatchObject({
    notified_pause_reason: 'provider_down',
    selected_rows: RowSet.of(selectedRows, 1_001).packed,
    total_reserved: 10,
    reserved: 5,
    charged: 3,
    failed: 1,
    skipped: 1,
    rate_window_start: new Date('2024-01-02'),
    rate_window_rows: 2,
    previous_window_start: new Date('2024-01-01'),
    previous_window_rows: 1,
  });
  expect(await db.selectFrom('slices').selectAll().executeTakeFirst()).toMatchObject({
    crash_count: 2,
    quarantined_rows: [4],
    row_crash_counts: { 4: 1 },
  });
  expect(await db.selectFrom('single_prompts').selectAll().executeTakeFirst()).toMatchObject({
    template: 'Why?',
    reserved: 2,
  });
  expect(await db.selectFrom('payments').selectAll().executeTakeFirst()).toMatchObject({
    refund_refusals: 2,
    refund_problem: 'no funds',
  });
  expect(await db.selectFrom('invoices').select('number').orderBy('number').execute()).toEqual([
    { number: 'CN-1' },
    { number: 'INV-1' },
  ]);
  expect(await db.selectFrom('credit_accounts').selectAll().executeTakeFirst()).toMatchObject({
    available: 0,
    reserved: 7,
    spent: 3,
    debt: 8,
  });
});

it('stores the payment method of an order and the provider of payments and events', async () => {
  expect(await db.selectFrom('orders').select('payment_method').execute()).toEqual([
    { payment_method: 'card' },
  ]);
  expect(await db.selectFrom('payments').select('provider').execute()).toEqual([
    { provider: 'stripe' },
  ]);
  const events = db.selectFrom('provider_events').select(['provider', 'event_id']);
  expect(await events.orderBy('provider').execute()).toEqual([
    { provider: 'paypal', event_id: 'WH' },
    { provider: 'stripe', event_id: 'evt' },
  ]);
  const waiting = await sql<{ name: string; data: unknown }>`select * from jobs.job`.execute(db);
  expect(Object.fromEntries(waiting.rows.map(({ name, data }) => [name, data]))).toEqual({
    'billing.event': { provider: 'paypal', eventId: 'WH' },
    'batches.mail': { batchId: 'b', kind: 'batch_paused' },
    'credits.low-balance': { userId: 'u', to: 'client' },
    'plans.mail': {
      userId: 'u',
      planId: 'month',
      name: 'Month',
      endsAt: '2024-01-01T00:00:00.000Z',
    },
  });
});

it('renames the buckets of every ledger entry, so that all ledger checks pass', async () => {
  const entries = await db
    .selectFrom('credit_entries')
    .select(['from_bucket', 'to_bucket'])
    .orderBy('id')
    .execute();
  expect(entries.map(({ from_bucket, to_bucket }) => `${from_bucket} to ${to_bucket}`)).toEqual([
    'external to available',
    'external to available',
    'available to reserved',
    'reserved to spent',
    'reserved to available',
    'available to reserved',
    'available to external',
    'external to debt',
  ]);
  expect(await findBrokenInvariants(db)).toEqual([]);
});

it('leaves ledger and invoices append-only and the buckets restricted', async () => {
  for (const table of ['credit_entries', 'invoices'] as const)
    await expect(db.deleteFrom(table).execute()).rejects.toThrow(`${table} is append-only`);
  await expect(
    sql`insert into credit_entries values ('9', now(), 'u', 'world', 'available', 1, 'test')`.execute(
      db,
    ),
  ).rejects.toThrow('credit_entries_from_bucket');
});

it('leaves constraints that admit the states of the contract', async () => {
  const { rows } = await sql<{ column: string; rule: string }>`
    select conrelid::regclass || '.' || attname as "column", pg_get_constraintdef(pg_constraint.oid) as rule
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'c' and connamespace = 'public'::regnamespace`.execute(db);
  const listed = rows.filter(({ rule }) => rule.includes('ANY (ARRAY['));
  const valuesOf = (rule: string) => rule.match(/(?<=')\w+(?=')|\b\d+\b/g) ?? [];
  expect(
    Object.fromEntries(listed.map(({ column, rule }) => [column, valuesOf(rule).sort()])),
  ).toEqual(
    Object.fromEntries(
      Object.entries(statesOf).map(([column, states]) => [column, states.map(String).sort()]),
    ),
  );
});

const statesOf: Record<string, readonly (string | number)[]> = {
  'users.role_id': Object.values(roles),
  'email_links.purpose': linkPurposes,
  'credit_entries.from_bucket': creditBuckets,
  'credit_entries.to_bucket': creditBuckets,
  'batches.state': batchStates,
  'batches.pause_reason': pauseReasons,
  'slices.state': sliceStates,
  'results.state': rowStates,
  'results.judgement': judgements,
  'single_prompts.state': singlePromptStates,
  'orders.type': orderTypes,
  'orders.payment_method': paymentMethods,
  'orders.payment_status': paymentStates,
  'payments.payment_status': paymentStates,
  'reversals.kind': reversalKinds,
  'reversals.state': reversalStates,
  'notifications.kind': notificationKinds,
  'model_formats.finding': formatFindings,
  'providers.kind': providerKinds,
  'providers.limits_per': limitScopes,
  'models.offered_to': modelAudiences,
};

it('leaves no constraint, index or function with an old name', async () => {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union select relname from pg_class where relnamespace = 'public'::regnamespace
    union select proname from pg_proc where pronamespace = 'public'::regnamespace
    union select tgname from pg_trigger`.execute(db);
  const old =
    /^(links|throttles|rests|questions|papers?)_|_(held|owed|pot)(_|$)|_is_.*_admin|keep_|works_for_all/;
  expect(rows.map(({ name }) => name).filter((name) => old.test(name))).toEqual([]);
});

it('refuses a database of a newer version in words', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(db);
  await expect(migrate(db)).rejects.toThrow(/newer version of Rowmill \(migration 9999-later\)/);
  await sql`delete from kysely_migration where name = '9999-later'`.execute(db);
});

it('gives earlier batches and prompts the present cost of their tokens, and their model’s settings', async () => {
  const db = await openUnmigrated();
  await migrate(db, '0012-given-back');
  for (const statement of rowsOf0012) await sql.raw(statement).execute(db);
  await migrate(db, '0081-column-sizes');
  for (const statement of rowsOf0081) await sql.raw(statement).execute(db);
  await migrate(db);
  const batches = db.selectFrom('batches').select(['id', 'cost', 'unknown_costs']);
  expect(await batches.orderBy('id').execute()).toEqual([
    { id: 'asked-as', cost: '1002400000', unknown_costs: 0 },
    { id: 'b', cost: '0', unknown_costs: 3 },
    { id: 'removed', cost: '0', unknown_costs: 3 },
    { id: 'set-up', cost: '1002400000', unknown_costs: 0 },
  ]);
  const prompts = db.selectFrom('single_prompts').select(['id', 'model', 'cost']);
  expect(await prompts.orderBy('id').execute()).toEqual([
    { id: 'costless', model: 'free', cost: null },
    { id: 'counted', model: 'm', cost: 1_002_400_000 },
    { id: 'failed', model: null, cost: null },
    { id: 'q', model: null, cost: null },
    { id: 'uncounted', model: 'm', cost: null },
    { id: 'unpaid', model: null, cost: 0 },
  ]);
  await addCostParts(db);
  const sums = db.selectFrom('cost_sums').select(['model', 'answers', 'cost', 'unknown_costs']);
  expect(await sums.orderBy('model').execute()).toEqual([
    { model: 'asked', answers: 3, cost: '1002400000', unknown_costs: 0 },
    { model: 'free', answers: 1, cost: '0', unknown_costs: 1 },
    { model: 'gone', answers: 3, cost: '0', unknown_costs: 3 },
    { model: 'm', answers: 8, cost: '2004800000', unknown_costs: 4 },
  ]);
  expect(await findBreaches(db, 'the stored costs match the batches and prompts')).toMatchObject({
    ids: [],
  });
  const flex = await db.selectFrom('models').select('flex_cost_percent').distinct().execute();
  expect(flex).toEqual([{ flex_cost_percent: 50 }]);
  const setUp = db.selectFrom('batches').select('id').where('is_model_set_up', '=', true);
  expect(await setUp.orderBy('id').execute()).toEqual([{ id: 'b' }, { id: 'set-up' }]);
});

it('counts what earlier refunds and disputes took, and ends decided disputes', async () => {
  const db = await openUnmigrated();
  await migrate(db, '0102-retries-in-steps');
  await sql`insert into users (id, email, first_name, last_name, role_id, created_at)
    values ('u', 'u@example.test', 'Una', 'User', 1, now())`.execute(db);
  const reversals = {
    lost: ['dispute', 'taken', 600, 600],
    'lost-in-part': ['dispute', 'taken', 200, 200],
    open: ['dispute', 'open', 600, 0],
  } as const;
  for (const [id, [kind, state, amount, refunded]] of Object.entries(reversals)) {
    await sql`insert into orders (id, user_id, actor_id, type, description, submissions, total_minor, tax_minor, tax_name,
      tax_basis_points, currency, payment_method, payment_status, billing_address, refunded_minor, created_at, paid_at)
      values (${id}, 'u', 'u', 'credits', 'Submissions', 0, 600, 100, 'VAT', 2000, 'GBP', 'card', 'disputed', '{}', ${refunded}, now(), now())`.execute(
      db,
    );
    await sql`insert into payments (id, order_id, user_id, attempt, provider, provider_ref, payment_status, refunded_minor, created_at)
      values (${id}, ${id}, 'u', 1, 'stripe', ${id}, 'disputed', ${refunded}, now())`.execute(db);
    await sql`insert into reversals (provider_ref, payment_id, kind, state, amount_minor)
      values (${id}, ${id}, ${kind}, ${state}, ${amount})`.execute(db);
  }
  await migrate(db);
  const orders = db.selectFrom('orders').select(['id', 'payment_status', 'reversed_minor']);
  const expected = [
    { id: 'lost', payment_status: 'refunded', reversed_minor: 600 },
    { id: 'lost-in-part', payment_status: 'paid', reversed_minor: 200 },
    { id: 'open', payment_status: 'disputed', reversed_minor: 600 },
  ];
  expect(await orders.orderBy('id').execute()).toEqual(expected);
  expect(
    await db.selectFrom('payments').select(['id', 'payment_status']).orderBy('id').execute(),
  ).toEqual(expected.map(({ id, payment_status }) => ({ id, payment_status })));
});

it.runIf(isPostgres)('waits for the migration of another process without a limit', async () => {
  const url = await createPostgresDatabase();
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query(`select pg_advisory_lock(3853314791062309107)`);
  const address = `${url}?statement_timeout=2000`;
  const opening = openDatabase({ kind: 'postgres', url: address, ownerUrl: null });
  const hasWaited = async () => {
    const { rows } = await holder.query(
      `select 1 from pg_stat_activity where datname = current_database()
         and wait_event = 'advisory' and clock_timestamp() - query_start > interval '2500 ms'`,
    );
    return rows.length > 0;
  };
  await Promise.race([opening, until(hasWaited)]);
  // Kysely looks at tables before it takes its lock, and some may just lose a column.
  const { rows: looked } = await holder.query(
    `select to_regclass('public.kysely_migration') as at`,
  );
  expect(looked).toEqual([{ at: null }]);
  await holder.end();
  await using database = await opening;
  expect(await lastMigrationOf(database.db)).toBe(latestMigration);
});

const counted = 'input_tokens, cached_tokens, output_tokens, reasoning_tokens';
/** The cost of 600 input, 400 cached and 3 output tokens. */
const rowsOf0081 = [
  `insert into models (name, provider_id, asked_as, label, price, input_cost, cached_cost, output_cost, options, offered_to, position)
   values ('m', null, 'asked', 'M', 1, 1500000, 250000, 800000, '{}', 'everyone', 1),
     ('free', null, 'free', 'Free', 1, null, null, null, '{}', 'everyone', 2)`,
  ...[
    ['set-up', 'm'],
    ['asked-as', 'asked'],
    ['removed', 'gone'],
  ].map(
    ([id, model]) => `
    insert into batches (id, user_id, actor_id, sheet_id, name, state, question, variables, options, model, price, fingerprint, rows, answered, created_at, ${counted})
    select '${id}', user_id, actor_id, sheet_id, name, 'completed', question, variables, options, '${model}', 1, '${id}', 3, 3, now(), 1000, 400, 3, 0 from batches where id = 'b'`,
  ),
  `insert into single_prompts (id, user_id, actor_id, template, rows, state, answered_by, asked_at, ${counted})
   values ('counted', 'u', 'u', 'Why?', 1, 'answered', 'm at home', now(), 1000, 400, 3, 0),
     ('uncounted', 'u', 'u', 'Why?', 1, 'answered', 'm at home', now(), null, null, null, null),
     ('costless', 'u', 'u', 'Why?', 1, 'answered', 'free at home', now(), 1000, 400, 3, 0),
     ('failed', 'u', 'u', 'Why?', 1, 'failed', null, now(), 1000, 400, 3, 0),
     ('unpaid', 'u', 'u', 'Why?', 1, 'failed', null, now(), null, null, null, null)`,
];
