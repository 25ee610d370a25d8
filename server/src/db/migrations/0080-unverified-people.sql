-- Accounts that were never verified are found and deleted without reading whole tables.
create index users_unverified on users (created_at)
where email_verified_at is null and deleted_at is null;
-- The columns that refer to a person and had no index.
create index batches_by_actor_id on batches (actor_id);
create index catalogue_history_by_actor_id on catalogue_history (actor_id);
create index former_clients_by_admin_id on former_clients (admin_id);
create index orders_by_actor_id on orders (actor_id);
create index sheets_by_actor_id on sheets (actor_id);
create index single_prompts_by_actor_id on single_prompts (actor_id);
