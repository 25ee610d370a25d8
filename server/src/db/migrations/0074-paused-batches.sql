-- Since when a batch is paused. Two indexes find what waits for one thing, and the batches of a
-- sheet.
alter table batches add column paused_at timestamptz;
drop index batches_running_or_paused;
create index batches_running_or_paused on batches (state, pause_reason)
where state in ('running', 'paused');
create index batches_of_sheet on batches (sheet_id) where deleted_at is null;
