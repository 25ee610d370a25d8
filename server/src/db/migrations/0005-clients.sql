-- Suspended people, former clients of admins, and the spending limits of clients.
alter table users add column suspended_at timestamptz;

create table former_clients (
  client_id text not null references users (id),
  admin_id text not null references users (id),
  left_at timestamptz not null,
  primary key (client_id, admin_id)
);

create table client_limits (
  user_id text primary key references users (id),
  monthly_limit bigint check (monthly_limit >= 0),
  low_balance_at bigint check (low_balance_at >= 0),
  told_low_at timestamptz
);
insert into client_limits (user_id, low_balance_at) select id, 20 from users where admin_id is not null;
create index credit_entries_spent on credit_entries (user_id, at) where to_pot = 'spent';
create index audit_entries_by_time on audit_entries (at);
create index audit_entries_of_an_actor on audit_entries (actor_id, at);
