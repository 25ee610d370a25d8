-- The reasoning efforts that a model accepts. Earlier versions offered these four for every model.
alter table models add column reasoning_efforts text[] not null default '{minimal,low,medium,high}';
