import { type Kysely, sql } from 'kysely';

/** The newest entries of a person are found in the order of an index alone, without a sort. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, person] of Object.entries(indexes)) {
    await sql`drop index ${sql.ref(name)}`.execute(db);
    await sql`create index ${sql.ref(name)} on audit_entries (${sql.ref(person)}, at, id)`.execute(
      db,
    );
  }
}

const indexes = {
  audit_entries_of_an_actor: 'actor_id',
  audit_entries_of_a_subject: 'subject_id',
};
