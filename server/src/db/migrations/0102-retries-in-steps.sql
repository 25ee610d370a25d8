-- A retry makes its failed rows wait some thousand at a time: a million of them held the embedded
-- database for 40 s.
alter table batches add column retry_position integer;
create index batches_retrying on batches (id) where retry_position is not null;
