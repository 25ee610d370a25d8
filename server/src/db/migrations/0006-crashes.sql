-- Crash counts of slices and rows.
alter table slices
  add column crashes integer not null default 0 check (crashes >= 0),
  add column trial jsonb,
  add column accused jsonb not null default '{}';
