-- Searches read stored lower-case texts: of people in a column, of names of batches in an index, by
-- the expression of `folded` in lists.ts. A narrow index again gives the pages.
alter table users add column search_text text not null
  generated always as (lower(case
    when octet_length((first_name || ' ' || last_name || ' ' || email)) <= 1000
    then (first_name || ' ' || last_name || ' ' || email)
    else left((first_name || ' ' || last_name || ' ' || email), 1000)
  end collate "C")) stored;
drop index batches_by_time;
drop index audit_entries_by_time;
create index batches_by_time on batches (user_id, created_at, id) where deleted_at is null;
create index batches_to_search on batches (user_id, created_at, id,
  (lower(case when octet_length(name) <= 1000 then name else left(name, 1000) end collate "C")))
  include (name, state) where deleted_at is null;
create index audit_entries_by_time on audit_entries (at, id) include (actor_id, subject_id, act);
-- Few entries have one.
create index audit_entries_with_reason on audit_entries (at, id) where detail ? 'reason';
