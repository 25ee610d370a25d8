import { type Kysely, sql } from 'kysely';

/** What a provider's key allows, as an operator knows it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table providers
    add column requests_per_minute integer check (requests_per_minute > 0),
    add column tokens_per_minute integer check (tokens_per_minute > 0)`.execute(db);
}
