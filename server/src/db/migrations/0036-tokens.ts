import { type Kysely, sql } from 'kysely';

/** The tokens that a provider counted, and who answered. Null: unknown. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['results', 'single_prompts'])
    await sql`
      alter table ${sql.table(table)}
        add column input_tokens integer,
        add column cached_tokens integer,
        add column output_tokens integer,
        add column reasoning_tokens integer,
        add column answered_by text`.execute(db);
  // With failed rows that were retried, so it can be more than the sum over the rows.
  await sql`
    alter table batches
      add column input_tokens bigint not null default 0,
      add column cached_tokens bigint not null default 0,
      add column output_tokens bigint not null default 0,
      add column reasoning_tokens bigint not null default 0`.execute(db);
}
