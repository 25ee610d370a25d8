-- Tables, columns, constraints and functions get the names of docs/glossary.md.
-- The ledger is append-only; its trigger is off once, for the new names of the buckets.
alter table credit_entries
  drop constraint credit_entries_from_pot,
  drop constraint credit_entries_to_pot,
  disable trigger credit_entries_append_only;
alter table credit_entries rename column from_pot to from_bucket;
alter table credit_entries rename column to_pot to to_bucket;
update credit_entries set
  from_bucket = case from_bucket
    when 'world' then 'external' when 'held' then 'reserved' when 'owed' then 'debt' else from_bucket end,
  to_bucket = case to_bucket
    when 'world' then 'external' when 'held' then 'reserved' when 'owed' then 'debt' else to_bucket end;
alter table credit_entries
  enable trigger credit_entries_append_only,
  add constraint credit_entries_from_bucket check (from_bucket in ('external', 'available', 'reserved', 'spent', 'debt')),
  add constraint credit_entries_to_bucket check (to_bucket in ('external', 'available', 'reserved', 'spent', 'debt'));

alter table credit_accounts rename column held to reserved;
alter table credit_accounts rename column owed to debt;
alter table client_limits rename column told_low_at to low_balance_notified_at;
alter table sheets rename column is_sure to dialect_confirmed;
alter table batches rename column told_reason to notified_pause_reason;
-- In this order: `reserved` becomes free for what is reserved now.
alter table batches rename column reserved to total_reserved;
alter table batches rename column held to reserved;
alter table batches rename column mark_at to rate_window_start;
alter table batches rename column mark_rows to rate_window_rows;
alter table batches rename column older_at to previous_window_start;
alter table batches rename column older_rows to previous_window_rows;
alter table slices rename column crashes to crash_count;
alter table slices rename column trial to quarantined_rows;
alter table slices rename column accused to row_crash_counts;
alter table questions rename column held to reserved;
alter table throttles rename column tries to attempts;
alter table payments rename column give_back_refusals to refund_refusals;
alter table payments rename column give_back_problem to refund_problem;
alter index batches_under_way rename to batches_running_or_paused;
alter index slices_to_do rename to slices_unfinished;
alter index results_that_failed rename to results_failed;
alter index questions_being_asked rename to single_prompts_asking;
alter index orders_to_look_at rename to orders_to_reconcile;
alter index one_invoice_an_order rename to invoices_one_per_order;

-- Constraints and indexes are named after their table. Renaming a constraint renames its index.
do $$
declare
  renamed record;
  named record;
begin
  for renamed in
    select * from (values
      ('links', 'email_links'), ('throttles', 'rate_limits'), ('rests', 'cooldowns'),
      ('questions', 'single_prompts'), ('papers', 'invoices'), ('paper_numbers', 'invoice_numbers')
    ) as list (before, after)
  loop
    execute format('alter table %I rename to %I', renamed.before, renamed.after);
    for named in
      select conname as before, renamed.after || substr(conname, length(renamed.before) + 1) as after
      from pg_constraint
      where conrelid = renamed.after::regclass and starts_with(conname, renamed.before || '_')
    loop
      execute format('alter table %I rename constraint %I to %I', renamed.after, named.before, named.after);
    end loop;
    for named in
      select relname as before, renamed.after || substr(relname, length(renamed.before) + 1) as after
      from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = renamed.after::regclass and starts_with(relname, renamed.before || '_')
    loop
      execute format('alter index %I rename to %I', named.before, named.after);
    end loop;
  end loop;
end $$;

alter table users rename constraint nobody_is_his_own_admin to users_not_own_admin;
alter table credit_accounts rename constraint credit_accounts_held_check to credit_accounts_reserved_check;
alter table credit_accounts rename constraint credit_accounts_owed_check to credit_accounts_debt_check;
alter table batches rename constraint batches_reserved_check to batches_total_reserved_check;
alter table batches rename constraint batches_held to batches_reserved_check;
alter table batches rename constraint a_pause_has_a_reason to batches_paused_with_reason;
alter table slices rename constraint slices_crashes_check to slices_crash_count_check;
alter table single_prompts rename constraint single_prompts_held_check to single_prompts_reserved_check;
alter table orders rename constraint a_plan_is_ordered_by_name to orders_plan_id_of_plan_order;
alter table orders rename constraint what_is_paid_is_granted to orders_granted_only_when_paid;
alter table invoices rename constraint a_credit_note_has_a_cause to invoices_reversal_of_credit_note;
alter trigger papers_append_only on invoices rename to invoices_append_only;
-- Policies and triggers refer to functions by identity, so they follow.
alter function keep_history() rename to record_history;
alter function works_for_all() rename to is_system_scope;
alter function people_known() rename to known_people;
alter policy known on users rename to known_people;
