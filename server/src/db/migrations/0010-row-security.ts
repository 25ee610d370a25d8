import { type Kysely, sql } from 'kysely';

/**
 * Row-level security limits each person to their own rows. It does not apply to the owner of the
 * tables, such as the embedded database. Another role reaches all rows with `rowmill.scope` =
 * system, else those of `rowmill.subject`, `rowmill.actor` and `rowmill.clients_of`.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await makeQuestions(db);
  for (const table of ofPerson) await guard(db, table, `${within('user_id')}`);
  for (const [table, column, parent] of ofThing)
    await guard(db, table, `${column} in (select id from ${parent})`);
  await guard(db, 'idempotency_keys', `${within('user_id')} or user_id = ${setting('actor')}`);
  await guard(db, 'former_clients', `${within('client_id')} or ${within('admin_id')}`);
  await guard(
    db,
    'audit_entries',
    `${within('subject_id')} or ${within('actor_id')} or actor_id = ${setting('actor')}`,
  );
  await guard(db, 'provider_events', 'false');
  // An invited person is a client as soon as their row exists.
  await guard(db, 'users', `${within('id')} or admin_id = ${setting('clients_of')}`);
  await sql`create policy known on users for select
    using (id = ${sql.raw(setting('actor'))} or id = any ((select people_known())::text[]))`.execute(
    db,
  );
}

const ofPerson = [
  'sessions',
  'links',
  'credit_accounts',
  'credit_entries',
  'client_limits',
  'user_plans',
  'billing_addresses',
  'sheets',
  'variables',
  'batches',
  'questions',
  'orders',
  'payments',
];

/** Rows that depend on a parent are visible with their parent. */
const ofThing = [
  ['slices', 'batch_id', 'batches'],
  ['results', 'batch_id', 'batches'],
  ['order_lines', 'order_id', 'orders'],
  ['papers', 'order_id', 'orders'],
  ['reversals', 'payment_id', 'payments'],
] as const;

/** Evaluated once per statement: the policies have them in a subquery without a row. */
async function makeQuestions(db: Kysely<never>): Promise<void> {
  await sql`
    create function works_for_all() returns boolean language sql stable as $$
      select coalesce(current_setting('rowmill.scope', true), '') = 'system'
    $$`.execute(db);
  // Runs as the owner, because the table that names the clients of an admin has a policy too.
  await sql`
    create function people_in_scope() returns text[] language sql stable security definer set search_path = public, pg_temp as $$
      select array_remove(array[nullif(current_setting('rowmill.subject', true), '')], null)
        || array(select id from users where admin_id = nullif(current_setting('rowmill.clients_of', true), ''))
    $$`.execute(db);
  // A person sees the names of those in their audit entries.
  await sql`
    create function people_known() returns text[] language sql stable security definer set search_path = public, pg_temp as $$
      select array(
        select actor_id from audit_entries where subject_id = nullif(current_setting('rowmill.subject', true), '')
        union
        select subject_id from audit_entries where actor_id = nullif(current_setting('rowmill.subject', true), '')
      )
    $$`.execute(db);
}

async function guard(db: Kysely<never>, table: string, rule: string): Promise<void> {
  await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
  await sql`create policy in_scope on ${sql.table(table)} for all
    using ((select works_for_all()) or ${sql.raw(rule)})`.execute(db);
}

function within(column: string): string {
  return `${column} = any ((select people_in_scope())::text[])`;
}

function setting(name: string): string {
  return `nullif(current_setting('rowmill.${name}', true), '')`;
}
