-- How long a tried row took, and what a batch was expected to take when it started.
alter table results add column milliseconds integer check (milliseconds >= 0);
alter table batches add column estimate jsonb;
