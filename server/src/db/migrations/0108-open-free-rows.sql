-- The blank and too long rows that a started batch has not reached yet. Null: they are not known.
alter table batches add column open_free_rows integer;
