-- Rows with nothing to ask are skipped; before, they failed with one of these reasons.
alter table batches
  add column skipped integer not null default 0 check (skipped >= 0),
  drop constraint batches_counts,
  add constraint batches_counts check (answered + failed + skipped <= rows);
-- Not valid: every row has one of two of these states, so millions need not be read again.
alter table results
  drop constraint results_state,
  add constraint results_state check (state in ('answered', 'failed', 'skipped')) not valid;
with moved as (
  update results set state = 'skipped'
  where state = 'failed' and problem in ('Empty row: skipped, not charged.', 'Empty prompt: nothing was sent.')
  returning batch_id
), counted as (
  select batch_id, count(*)::integer as rows from moved group by batch_id
)
update batches set failed = failed - counted.rows, skipped = counted.rows
from counted where id = batch_id;
