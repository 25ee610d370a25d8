-- Names are searched in the index. Reading 10,000 long prompts took three times as long.
drop index batches_by_time;
create index batches_by_time on batches (user_id, created_at, id) include (name, state)
where deleted_at is null;
