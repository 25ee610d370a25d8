-- Providers and models that an operator adds. Only the server itself reads them.
create table providers (
  id text primary key,
  name text not null,
  kind text not null check (kind in ('openai', 'anthropic', 'gemini', 'azure')),
  address text not null,
  sealed_key text,
  concurrency integer not null check (concurrency > 0),
  is_enabled boolean not null,
  version integer not null default 1,
  created_at timestamptz not null
);
create unique index providers_by_name on providers (lower(name));

-- Without a provider: what is set for a model of the environment's provider.
create table models (
  name text primary key,
  provider_id text references providers (id),
  asked_as text not null,
  label text not null,
  price integer not null check (price >= 0),
  input_cost integer check (input_cost >= 0),
  cached_cost integer check (cached_cost >= 0),
  output_cost integer check (output_cost >= 0),
  options text[] not null,
  offered_to text not null check (offered_to in ('everyone', 'admins', 'none')),
  fallback text,
  position integer not null,
  version integer not null default 1
);
create index models_of_provider on models (provider_id);
alter table providers enable row level security;
create policy in_scope on providers for all
  using ((select is_system_scope()));
alter table models enable row level security;
create policy in_scope on models for all
  using ((select is_system_scope()));
