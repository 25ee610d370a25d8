import { type Kysely, sql } from 'kysely';

/** A prompt that failed without a paid call costs nothing; without a cost, it is unknown. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    update single_prompts set cost = 0
    where state = 'failed' and cost is null and input_tokens is null`.execute(db);
}
