import { type Kysely, sql } from 'kysely';

/** What each model of a provider makes of `response_format`, so that every process and every start knows it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table model_formats (
      provider text not null,
      model text not null,
      finding text not null check (finding in ('obeys', 'ignores', 'refuses')),
      found_at timestamptz not null,
      primary key (provider, model)
    )`.execute(db);
}
