-- The catalogue, orders, payments, refunds and invoices.
create table packs (
  id text primary key,
  name text not null,
  count bigint not null check (count > 0),
  rate_minor bigint not null check (rate_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  position integer not null,
  is_sold boolean not null default true
);
alter table plans add column is_sold boolean not null default true;

create table tax (
  id text primary key check (id = 'included'),
  name text not null,
  basis_points integer not null check (basis_points between 0 and 10000)
);

-- Every earlier state of the catalogue; an order copies the prices.
create table catalogue_history (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  item text not null,
  item_id text not null,
  before jsonb not null
);

create function keep_history() returns trigger language plpgsql as $$
begin
  insert into catalogue_history (item, item_id, before) values (tg_table_name, old.id, to_jsonb(old));
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger packs_history before update or delete on packs
  for each row execute function keep_history();
create trigger plans_history before update or delete on plans
  for each row execute function keep_history();
create trigger tax_history before update or delete on tax
  for each row execute function keep_history();
create trigger catalogue_history_append_only before update or delete on catalogue_history
for each row execute function refuse_change();
insert into packs (id, name, count, rate_minor, currency, position) values
  ('pack-500', '500 submissions', 500, 600, 'GBP', 1), ('pack-2000', '2,000 submissions', 2000, 2000, 'GBP', 2),
  ('pack-10000', '10,000 submissions', 10000, 8000, 'GBP', 3), ('pack-50000', '50,000 submissions', 50000, 30000, 'GBP', 4);
insert into tax (id, name, basis_points) values ('included', 'VAT', 2000);

create table orders (
  id text primary key,
  user_id text not null references users (id),
  actor_id text not null references users (id),
  type text not null constraint orders_type check (type in ('plan', 'credits')),
  plan_id text references plans (id),
  period_days integer,
  description text not null,
  submissions bigint not null check (submissions >= 0),
  total_minor bigint not null check (total_minor > 0),
  tax_minor bigint not null check (tax_minor between 0 and total_minor),
  tax_name text not null,
  tax_basis_points integer not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  provider text not null constraint orders_provider check (provider in ('card', 'wallet')),
  payment_status text not null constraint orders_payment_status
    check (payment_status in ('pending', 'paid', 'failed', 'refunded', 'disputed', 'review')),
  problem text,
  billing_address jsonb not null,
  granted bigint not null default 0 check (granted = 0 or granted = submissions),
  taken_back bigint not null default 0 check (taken_back between 0 and granted),
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and total_minor),
  order_key text,
  created_at timestamptz not null,
  checked_at timestamptz,
  paid_at timestamptz,
  constraint orders_order_key unique (user_id, order_key),
  constraint a_plan_is_ordered_by_name check ((type = 'plan') = (plan_id is not null)),
  constraint what_is_paid_is_granted check (paid_at is not null or granted = 0)
);
create index orders_of_a_user on orders (user_id, created_at);
create index orders_to_look_at on orders (created_at) where payment_status = 'pending';

create table order_lines (
  order_id text not null references orders (id),
  position integer not null,
  item_id text not null,
  name text not null,
  quantity integer not null check (quantity > 0),
  count bigint not null check (count >= 0),
  rate_minor bigint not null check (rate_minor >= 0),
  primary key (order_id, position)
);
alter table user_plans add column order_id text unique references orders (id);
alter table user_plans add column revoked_at timestamptz;
alter table user_plans add column reminded_at timestamptz;

create table payments (
  id text primary key,
  order_id text not null references orders (id),
  user_id text not null references users (id),
  attempt integer not null check (attempt > 0),
  provider text not null constraint payments_provider check (provider in ('card', 'wallet')),
  provider_ref text unique,
  merchant text,
  payment_status text not null constraint payments_payment_status
    check (payment_status in ('pending', 'paid', 'failed', 'refunded', 'disputed', 'review')),
  problem text,
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  created_at timestamptz not null,
  paid_at timestamptz,
  constraint payments_attempt unique (order_id, attempt)
);
create index payments_of_a_user on payments (user_id, created_at);

create table reversals (
  provider_ref text primary key,
  payment_id text not null references payments (id),
  kind text not null constraint reversals_kind check (kind in ('refund', 'dispute')),
  state text not null constraint reversals_state check (state in ('open', 'taken', 'returned')),
  amount_minor bigint not null check (amount_minor > 0)
);
create index reversals_of_a_payment on reversals (payment_id);

create table provider_events (
  provider text not null constraint provider_events_provider check (provider in ('card', 'wallet')),
  event_id text not null,
  kind text not null,
  hint jsonb not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  primary key (provider, event_id)
);
-- An invoice takes its number in the transaction that issues it, so none is left out.
create table paper_numbers (series text primary key, last bigint not null);
insert into paper_numbers (series, last) values ('INV', 0), ('CN', 0);

create table papers (
  series text not null references paper_numbers (series),
  sequence bigint not null check (sequence > 0),
  number text not null unique,
  order_id text not null references orders (id),
  reversal_ref text unique references reversals (provider_ref),
  issued_at timestamptz not null,
  total_minor bigint not null check (total_minor > 0),
  document jsonb not null,
  primary key (series, sequence),
  constraint a_credit_note_has_a_cause check ((series = 'CN') = (reversal_ref is not null))
);
create unique index one_invoice_an_order on papers (order_id) where series = 'INV';
create index papers_of_an_order on papers (order_id);
create trigger papers_append_only before update or delete on papers
for each row execute function refuse_change();
