import { type Kysely, sql } from 'kysely';

/** Tables, columns, constraints and functions get the names of docs/glossary.md. */
export async function up(db: Kysely<never>): Promise<void> {
  await renameBuckets(db);
  for (const [table, columns] of Object.entries(renamedColumns))
    for (const [before, after] of Object.entries(columns))
      await sql`alter table ${sql.table(table)} rename column ${sql.ref(before)} to ${sql.ref(after)}`.execute(
        db,
      );
  for (const [before, after] of Object.entries(renamedIndexes))
    await sql`alter index ${sql.ref(before)} rename to ${sql.ref(after)}`.execute(db);
  for (const [before, after] of Object.entries(renamedTables)) {
    await sql`alter table ${sql.table(before)} rename to ${sql.table(after)}`.execute(db);
    await renamePrefix(db, { table: after, before, after });
  }
  for (const [table, before, after] of renamedConstraints)
    await sql`alter table ${sql.table(table)} rename constraint ${sql.ref(before)} to ${sql.ref(after)}`.execute(
      db,
    );
  await sql`alter trigger papers_append_only on invoices rename to invoices_append_only`.execute(
    db,
  );
  // Policies and triggers refer to functions by identity, so they follow.
  await sql`alter function keep_history() rename to record_history`.execute(db);
  await sql`alter function works_for_all() rename to is_system_scope`.execute(db);
  await sql`alter function people_known() rename to known_people`.execute(db);
  await sql`alter policy known on users rename to known_people`.execute(db);
}

/** The ledger is append-only; its trigger is off once, for the new names of the buckets. */
async function renameBuckets(db: Kysely<never>): Promise<void> {
  await sql`
    alter table credit_entries
      drop constraint credit_entries_from_pot,
      drop constraint credit_entries_to_pot,
      disable trigger credit_entries_append_only`.execute(db);
  await sql`alter table credit_entries rename column from_pot to from_bucket`.execute(db);
  await sql`alter table credit_entries rename column to_pot to to_bucket`.execute(db);
  await sql`
    update credit_entries set
      from_bucket = case from_bucket when 'world' then 'external' when 'held' then 'reserved' when 'owed' then 'debt' else from_bucket end,
      to_bucket = case to_bucket when 'world' then 'external' when 'held' then 'reserved' when 'owed' then 'debt' else to_bucket end`.execute(
    db,
  );
  await sql`
    alter table credit_entries
      enable trigger credit_entries_append_only,
      add constraint credit_entries_from_bucket check (from_bucket in ('external', 'available', 'reserved', 'spent', 'debt')),
      add constraint credit_entries_to_bucket check (to_bucket in ('external', 'available', 'reserved', 'spent', 'debt'))`.execute(
    db,
  );
}

const renamedColumns = {
  credit_accounts: { held: 'reserved', owed: 'debt' },
  client_limits: { told_low_at: 'low_balance_notified_at' },
  sheets: { is_sure: 'dialect_confirmed' },
  batches: {
    told_reason: 'notified_pause_reason',
    // In this order: `reserved` becomes free for what is reserved now.
    reserved: 'total_reserved',
    held: 'reserved',
    mark_at: 'rate_window_start',
    mark_rows: 'rate_window_rows',
    older_at: 'previous_window_start',
    older_rows: 'previous_window_rows',
  },
  slices: { crashes: 'crash_count', trial: 'quarantined_rows', accused: 'row_crash_counts' },
  questions: { held: 'reserved' },
  throttles: { tries: 'attempts' },
  payments: { give_back_refusals: 'refund_refusals', give_back_problem: 'refund_problem' },
};

const renamedTables = {
  links: 'email_links',
  throttles: 'rate_limits',
  rests: 'cooldowns',
  questions: 'single_prompts',
  papers: 'invoices',
  paper_numbers: 'invoice_numbers',
};

const renamedConstraints = [
  ['users', 'nobody_is_his_own_admin', 'users_not_own_admin'],
  ['credit_accounts', 'credit_accounts_held_check', 'credit_accounts_reserved_check'],
  ['credit_accounts', 'credit_accounts_owed_check', 'credit_accounts_debt_check'],
  ['batches', 'batches_reserved_check', 'batches_total_reserved_check'],
  ['batches', 'batches_held', 'batches_reserved_check'],
  ['batches', 'a_pause_has_a_reason', 'batches_paused_with_reason'],
  ['slices', 'slices_crashes_check', 'slices_crash_count_check'],
  ['single_prompts', 'single_prompts_held_check', 'single_prompts_reserved_check'],
  ['orders', 'a_plan_is_ordered_by_name', 'orders_plan_id_of_plan_order'],
  ['orders', 'what_is_paid_is_granted', 'orders_granted_only_when_paid'],
  ['invoices', 'a_credit_note_has_a_cause', 'invoices_reversal_of_credit_note'],
] as const;

const renamedIndexes = {
  batches_under_way: 'batches_running_or_paused',
  slices_to_do: 'slices_unfinished',
  results_that_failed: 'results_failed',
  questions_being_asked: 'single_prompts_asking',
  orders_to_look_at: 'orders_to_reconcile',
  one_invoice_an_order: 'invoices_one_per_order',
};

/** Constraints and indexes are named after their table. Renames a constraint's index with it. */
async function renamePrefix(
  db: Kysely<never>,
  { table, before, after }: { table: string; before: string; after: string },
): Promise<void> {
  const constraints = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conrelid = ${table}::regclass and starts_with(conname, ${`${before}_`})`.execute(db);
  for (const { name } of constraints.rows)
    await sql`alter table ${sql.table(table)} rename constraint ${sql.ref(name)} to ${sql.ref(after + name.slice(before.length))}`.execute(
      db,
    );
  const indexes = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = ${table}::regclass and starts_with(relname, ${`${before}_`})`.execute(db);
  for (const { name } of indexes.rows)
    await sql`alter index ${sql.ref(name)} rename to ${sql.ref(after + name.slice(before.length))}`.execute(
      db,
    );
}
