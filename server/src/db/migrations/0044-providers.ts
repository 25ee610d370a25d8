import { type Kysely, sql } from 'kysely';

/** Providers and models that an operator adds. Only the server itself reads them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`create unique index providers_by_name on providers (lower(name))`.execute(db);
  // Without a provider: what is set for a model of the environment's provider.
  await sql`
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
    )`.execute(db);
  await sql`create index models_of_provider on models (provider_id)`.execute(db);
  for (const table of ['providers', 'models']) {
    await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
    await sql`create policy in_scope on ${sql.table(table)} for all
      using ((select is_system_scope()))`.execute(db);
  }
}
