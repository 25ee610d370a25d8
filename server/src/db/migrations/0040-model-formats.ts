import { type Kysely, sql } from 'kysely';

/** What each model makes of `response_format`, for every process and every start. */
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
