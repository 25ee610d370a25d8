create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  email_verified_at timestamptz,
  pending_email text check (pending_email = lower(pending_email)),
  password_hash text,
  first_name text not null,
  last_name text not null,
  phone text not null default '',
  role_id integer not null constraint users_role_id check (role_id in (1, 2, 3)),
  admin_id text references users (id),
  profile_photo text,
  created_at timestamptz not null,
  last_seen_at timestamptz,
  deleted_at timestamptz,
  constraint only_clients_have_an_admin check (admin_id is null or role_id = 1),
  constraint nobody_is_his_own_admin check (admin_id <> id)
);
create index users_of_an_admin on users (admin_id, created_at) where admin_id is not null;

create table sessions (
  id text primary key,
  user_id text not null references users (id),
  token_hash text not null unique,
  app_token_hash text not null,
  device text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index sessions_of_a_user on sessions (user_id);

create table links (
  id text primary key,
  user_id text not null references users (id),
  purpose text not null constraint links_purpose
    check (purpose in ('verify_email', 'change_email', 'reset_password', 'invitation', 'invoice', 'results')),
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index links_of_a_user on links (user_id, purpose);
create table throttles (key text primary key, tries integer not null, resets_at timestamptz not null);

create table idempotency_keys (
  user_id text not null references users (id),
  key text not null,
  request_hash text not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);

create table audit_entries (
  id text primary key,
  at timestamptz not null,
  actor_id text not null references users (id),
  subject_id text not null references users (id),
  act text not null,
  detail jsonb not null,
  request_id text not null
);
create index audit_entries_of_a_subject on audit_entries (subject_id, at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
for each row execute function refuse_change();
