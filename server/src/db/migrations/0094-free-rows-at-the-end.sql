-- A batch started with too few submissions ends although its last rows are blank or too long.
alter table batches add column free_rows_at_end integer not null default 0;
