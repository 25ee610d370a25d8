import { type Kysely, sql } from 'kysely';

/** The money of a refused payment is given back: how often the provider has refused that, and in which words the last time. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table payments add column give_back_refusals integer not null default 0, add column give_back_problem text`.execute(
    db,
  );
}
