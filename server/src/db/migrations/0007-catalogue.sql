-- Operators edit the catalogue: a version detects simultaneous edits; the history has authors.
alter table tax add column currency text check (currency ~ '^[A-Z]{3}$');
alter table tax disable trigger tax_history;
update tax set currency = coalesce((select currency from plans order by position limit 1), 'GBP');
alter table tax enable trigger tax_history;
alter table tax alter column currency set not null;
alter table packs add column version integer not null default 1;
alter table plans add column version integer not null default 1;
alter table tax add column version integer not null default 1;

-- Stores the row before and after each change, and its author. A trigger misses no statement.
alter table catalogue_history alter column before drop not null;
alter table catalogue_history add column after jsonb;
alter table catalogue_history add column actor_id text references users (id);

create or replace function keep_history() returns trigger language plpgsql as $$
declare
  was jsonb;
  becomes jsonb;
  item_id text;
begin
  if tg_op = 'UPDATE' then new.version := old.version + 1; end if;
  if tg_op <> 'INSERT' then was := to_jsonb(old); item_id := old.id; end if;
  if tg_op <> 'DELETE' then becomes := to_jsonb(new); item_id := new.id; end if;
  insert into catalogue_history (item, item_id, before, after, actor_id, at)
  values (tg_table_name, item_id, was, becomes,
    nullif(current_setting('rowmill.editor', true), ''),
    coalesce(nullif(current_setting('rowmill.edited_at', true), '')::timestamptz, now()));
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger packs_beginning before insert on packs
  for each row execute function keep_history();
create trigger plans_beginning before insert on plans
  for each row execute function keep_history();
create trigger tax_beginning before insert on tax
  for each row execute function keep_history();

-- An active plan keeps the terms of its order, whatever the catalogue says later.
alter table user_plans add column terms jsonb;
update user_plans set terms = (
  select jsonb_build_object(
    'name', plans.name,
    'price_minor', coalesce(orders.total_minor, plans.price_minor),
    'currency', coalesce(orders.currency, plans.currency),
    'period_days', coalesce(orders.period_days, plans.period_days),
    'submissions', coalesce(orders.submissions, plans.submissions),
    'features', plans.features)
  from plans left join orders on orders.id = user_plans.order_id
  where plans.id = user_plans.plan_id);
alter table user_plans alter column terms set not null;
