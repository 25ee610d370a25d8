import { type Kysely, sql } from 'kysely';

/** The plan cards say "email", as all other texts do. Cards that an operator has edited keep everything else. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    update plans set features = replace(replace(features::text, 'E-mail', 'Email'), 'e-mail', 'email')::jsonb
    where features::text ilike '%e-mail%'`.execute(db);
}
