-- What happened in an account, for the bell and for emails, which a person can turn off.
alter table users add column batch_emails boolean not null default true;

create table notifications (
  id text primary key,
  user_id text not null references users (id),
  batch_id text references batches (id),
  kind text not null
    check (kind in ('batch_completed', 'batch_paused', 'payment', 'low_balance')),
  text text not null,
  path text not null,
  wants_email boolean not null,
  emailed_at timestamptz,
  read_at timestamptz,
  created_at timestamptz not null
);
create index notifications_of_user on notifications (user_id, created_at);
create index notifications_to_email on notifications (created_at)
  where wants_email and emailed_at is null and read_at is null;
create index notifications_of_batch on notifications (batch_id);
alter table notifications enable row level security;
create policy in_scope on notifications for all
  using ((select is_system_scope()) or user_id = any ((select people_in_scope())::text[]));
