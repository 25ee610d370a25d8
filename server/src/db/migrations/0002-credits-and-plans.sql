-- The ledger of submissions, and the plans a person can have.
create table credit_accounts (
  user_id text primary key references users (id),
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  spent bigint not null default 0 check (spent >= 0),
  owed bigint not null default 0 check (owed >= 0)
);

create table credit_entries (
  id text primary key,
  at timestamptz not null,
  user_id text not null references credit_accounts (user_id),
  from_pot text not null constraint credit_entries_from_pot check (from_pot in ('world', 'available', 'held', 'spent', 'owed')),
  to_pot text not null constraint credit_entries_to_pot check (to_pot in ('world', 'available', 'held', 'spent', 'owed')),
  amount bigint not null check (amount > 0),
  cause text not null,
  constraint credit_entries_move check (from_pot <> to_pot),
  constraint credit_entries_cause unique (user_id, cause)
);
create trigger credit_entries_append_only before update or delete on credit_entries
for each row execute function refuse_change();

create table plans (
  id text primary key,
  name text not null,
  price_minor bigint not null check (price_minor >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  period_days integer check (period_days > 0),
  submissions bigint not null check (submissions >= 0),
  features jsonb not null,
  highlighted boolean not null,
  position integer not null
);

create table user_plans (
  id text primary key,
  user_id text not null references users (id),
  plan_id text not null references plans (id),
  started_at timestamptz not null,
  ends_at timestamptz,
  constraint user_plans_order check (ends_at > started_at)
);
create index user_plans_of_a_user on user_plans (user_id, started_at);

create table billing_addresses (
  user_id text primary key references users (id),
  address jsonb not null
);
insert into plans (id, name, price_minor, currency, period_days, submissions, features, highlighted, position) values
  ('free', 'Free', 0, 'GBP', null, 25,
    '["25 submissions to try everything", "All features", "Charged only for answered rows"]', false, 1),
  ('month', 'Month', 1900, 'GBP', 30, 2000,
    '["2,000 submissions", "30 days, no silent renewal", "Charged only for answered rows", "E-mail support"]', false, 2),
  ('quarter', 'Quarter', 4900, 'GBP', 91, 7000,
    '["7,000 submissions", "91 days, no silent renewal", "Charged only for answered rows", "Priority e-mail support"]', true, 3),
  ('year', 'Year', 16900, 'GBP', 365, 30000,
    '["30,000 submissions", "365 days, no silent renewal", "Charged only for answered rows", "Priority e-mail and phone support"]', false, 4);
