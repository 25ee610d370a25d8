-- When the fallback of a model answered last because its provider is down.
alter table models add column failed_over_at timestamptz;
