-- The marks of an answer are bits of a number, and each batch counts them in their order.
alter table results add column marks smallint not null default 0;
create index results_with_marks on results (batch_id, row) where marks <> 0;
alter table batches
  add column marked integer not null default 0,
  add column mark_counts integer[] not null default '{}';
