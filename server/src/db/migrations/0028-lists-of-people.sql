-- The operator's list of people is read from the newest on.
create index users_by_time on users (created_at, id) where deleted_at is null;
