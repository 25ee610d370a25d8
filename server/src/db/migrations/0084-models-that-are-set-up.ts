import { type Kysely, sql } from 'kysely';

/**
 * Whether operators had set up the model of a batch. Without its settings, the batch would be asked
 * at the provider of the environment, which may not be the one that was chosen.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table batches add column is_model_set_up boolean not null default false`.execute(
    db,
  );
  await sql`update batches set is_model_set_up = true where model in (select name from models)`.execute(
    db,
  );
}
