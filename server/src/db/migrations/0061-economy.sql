-- Models with a flex tier, batches with a deadline, and batches that wait for capacity.
alter table models add column has_flex boolean not null default false;
alter table batches add column finish_by timestamptz;
alter table batches drop constraint batches_pause_reason, add constraint batches_pause_reason
  check (pause_reason in ('person', 'needs_credits', 'provider_refused', 'request_refused', 'provider_down', 'storage_full', 'no_capacity'));
