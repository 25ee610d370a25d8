import { type Kysely, sql } from 'kysely';

/** What the flex tier of a model costs, in percent of its normal tier. OpenAI bills half. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table models add column flex_cost_percent integer not null default 50
      check (flex_cost_percent between 0 and 100)`.execute(db);
}
