-- A person also sees the names of the admins in entries about a move of theirs.
create or replace function known_people() returns text[]
  language sql stable security definer set search_path = public, pg_temp as $$
  select array(
    select actor_id from audit_entries where subject_id = nullif(current_setting('rowmill.subject', true), '')
    union
    select subject_id from audit_entries where actor_id = nullif(current_setting('rowmill.subject', true), '')
    union
    select detail->>'to' from audit_entries
    where subject_id = nullif(current_setting('rowmill.subject', true), '') and act = 'client_moved'
  )
$$;
