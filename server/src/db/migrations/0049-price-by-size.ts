import { type Kysely, sql } from 'kysely';

/** A price may depend on the tokens of an answer; a batch then stores the highest row price. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table models
      add column price_tokens integer check (price_tokens > 0),
      add column answer_tokens integer check (answer_tokens > 0),
      add constraint models_price_by_size check ((price_tokens is null) = (answer_tokens is null))`.execute(
    db,
  );
  await sql`
    alter table batches
      add column price_tokens integer check (price_tokens > 0),
      add column unit_price integer check (unit_price >= 0),
      add constraint batches_price_by_size check ((price_tokens is null) = (unit_price is null))`.execute(
    db,
  );
  // Null: the price of the batch.
  await sql`alter table results add column charge integer check (charge >= 0)`.execute(db);
  await sql`alter table single_prompts add column charged integer not null default 0 check (charged >= 0)`.execute(
    db,
  );
  await sql`
    update single_prompts set charged = amount from credit_entries
    where credit_entries.user_id = single_prompts.user_id and to_bucket = 'spent'
      and cause = 'question-end:' || single_prompts.id`.execute(db);
}
