-- The stored file of a batch's sheet is missing or damaged.
alter table batches drop constraint batches_pause_reason, add constraint batches_pause_reason
  check (pause_reason in ('person', 'needs_credits', 'provider_refused', 'request_refused', 'provider_down', 'storage_full', 'no_capacity', 'sheet_unreadable'));
