import { type Kysely, sql } from 'kysely';

/**
 * Searches read stored lower-case texts: of people in a column, of names of batches in an index, by
 * the expression of `folded` in lists.ts. A narrow index again gives the pages.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const person = "(first_name || ' ' || last_name || ' ' || email)";
  await sql`alter table users add column search_text text not null
    generated always as (${sql.raw(folded(person))}) stored`.execute(db);
  for (const name of ['batches_by_time', 'audit_entries_by_time'])
    await sql`drop index ${sql.ref(name)}`.execute(db);
  for (const [name, definition] of Object.entries(indexes))
    await sql`create index ${sql.ref(name)} on ${sql.raw(definition)}`.execute(db);
}

const folded = (text: string) =>
  `lower(case when octet_length(${text}) <= 1000 then ${text} else left(${text}, 1000) end collate "C")`;

const indexes = {
  batches_by_time: 'batches (user_id, created_at, id) where deleted_at is null',
  batches_to_search: `batches (user_id, created_at, id, (${folded('name')})) include (name, state) where deleted_at is null`,
  audit_entries_by_time: 'audit_entries (at, id) include (actor_id, subject_id, act)',
  // Few entries have one.
  audit_entries_with_reason: "audit_entries (at, id) where detail ? 'reason'",
};
