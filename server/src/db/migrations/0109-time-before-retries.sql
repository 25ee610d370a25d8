-- How long a batch was ended before its failed rows ran again. What was retried so far counts none.
alter table batches add column idle_seconds integer not null default 0;
