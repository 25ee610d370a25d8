-- Row-level security limits each person to their own rows. It does not apply to the owner of the
-- tables, such as the embedded database. Another role reaches all rows with `rowmill.scope` =
-- system, else those of `rowmill.subject`, `rowmill.actor` and `rowmill.clients_of`.

-- Policies call these functions in a subquery without a row: once per statement.
create function works_for_all() returns boolean language sql stable as $$
  select coalesce(current_setting('rowmill.scope', true), '') = 'system'
$$;

-- Runs as the owner, because the table that names the clients of an admin has a policy too.
create function people_in_scope() returns text[]
  language sql stable security definer set search_path = public, pg_temp as $$
  select array_remove(array[nullif(current_setting('rowmill.subject', true), '')], null)
    || array(select id from users where admin_id = nullif(current_setting('rowmill.clients_of', true), ''))
$$;

-- A person sees the names of those in their audit entries.
create function people_known() returns text[]
  language sql stable security definer set search_path = public, pg_temp as $$
  select array(
    select actor_id from audit_entries where subject_id = nullif(current_setting('rowmill.subject', true), '')
    union
    select subject_id from audit_entries where actor_id = nullif(current_setting('rowmill.subject', true), '')
  )
$$;

do $$
declare
  within text := ' = any ((select people_in_scope())::text[])';
  own text := 'user_id' || within;
  is_actor text := ' = nullif(current_setting(''rowmill.actor'', true), '''')';
  guarded record;
begin
  for guarded in
    select * from (values
      ('sessions', own), ('links', own), ('credit_accounts', own), ('credit_entries', own),
      ('client_limits', own), ('user_plans', own), ('billing_addresses', own), ('sheets', own),
      ('variables', own), ('batches', own), ('questions', own), ('orders', own), ('payments', own),
      -- Rows that depend on a parent are visible with their parent.
      ('slices', 'batch_id in (select id from batches)'),
      ('results', 'batch_id in (select id from batches)'),
      ('order_lines', 'order_id in (select id from orders)'),
      ('papers', 'order_id in (select id from orders)'),
      ('reversals', 'payment_id in (select id from payments)'),
      ('idempotency_keys', own || ' or user_id' || is_actor),
      ('former_clients', 'client_id' || within || ' or admin_id' || within),
      ('audit_entries', 'subject_id' || within || ' or actor_id' || within || ' or actor_id' || is_actor),
      ('provider_events', 'false'),
      -- An invited person is a client as soon as their row exists.
      ('users', 'id' || within || ' or admin_id = nullif(current_setting(''rowmill.clients_of'', true), '''')')
    ) as list (name, rule)
  loop
    execute format('alter table %I enable row level security', guarded.name);
    execute format(
      'create policy in_scope on %I for all using ((select works_for_all()) or %s)',
      guarded.name, guarded.rule);
  end loop;
end $$;

create policy known on users for select
  using (id = nullif(current_setting('rowmill.actor', true), '') or id = any ((select people_known())::text[]));
