-- News for an admin names a client, and is deleted with their account.
alter table notifications add column client_id text references users (id);
create index notifications_of_client on notifications (client_id) where client_id is not null;
alter policy in_scope on notifications using (
  (select is_system_scope())
  or user_id = any ((select people_in_scope())::text[])
  or client_id = any ((select people_in_scope())::text[]));
