import { type Kysely, sql } from 'kysely';

/** The mark of a database that was a demo. An earlier demo is known by its operator, whom only a demo creates. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table demo_mark (id integer primary key check (id = 1))`.execute(db);
  await sql`
    insert into demo_mark (id)
    select 1 where exists (select from users where email = 'operator@demo.test' and role_id = 3)`.execute(
    db,
  );
}
