import { type Kysely, sql } from 'kysely';

/** What the last complete CSV file of a batch had to change, to say so beside the download. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table batches
      add column file_apostrophes integer,
      add column file_replaced integer`.execute(db);
}
