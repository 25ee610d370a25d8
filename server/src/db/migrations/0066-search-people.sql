-- The newest people are searched in the order of an index that has their small letters.
drop index users_by_time;
create index users_by_time on users (created_at, id) include (search_text)
where deleted_at is null;
create index clients_by_time on users (admin_id, created_at, id) include (search_text)
where admin_id is not null and deleted_at is null;
