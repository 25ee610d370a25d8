-- Batches pause when their request is refused, and retried rows keep the reason of a failure.
alter table batches drop constraint batches_pause_reason, add constraint batches_pause_reason
  check (pause_reason in ('person', 'needs_credits', 'provider_refused', 'request_refused', 'provider_down', 'storage_full'));

create table earlier_problems (
  batch_id text not null references batches (id),
  row integer not null,
  problem text not null,
  primary key (batch_id, row)
);
alter table earlier_problems enable row level security;
create policy in_scope on earlier_problems for all
  using ((select is_system_scope()) or batch_id in (select id from batches));
