-- Pages and counts of batches are read from indexes. One on counts would slow every result.
create index batches_by_time on batches (user_id, created_at, id) where deleted_at is null;
create index batches_by_state on batches (user_id, state, created_at, id) where deleted_at is null;
create index batches_by_name on batches (user_id, lower(name), created_at desc, id desc) where deleted_at is null;
