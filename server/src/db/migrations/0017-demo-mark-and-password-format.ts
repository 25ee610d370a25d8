import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await createDemoMark(db);
  await useStandardHashes(db);
}

/** The mark of a database that was a demo. An earlier demo is known by its operator, whom only a demo creates. */
async function createDemoMark(db: Kysely<never>): Promise<void> {
  await sql`create table demo_mark (id integer primary key check (id = 1))`.execute(db);
  await sql`
    insert into demo_mark (id)
    select 1 where exists (select from users where email = 'operator@demo.test' and role_id = 3)`.execute(
    db,
  );
}

/** Password hashes were in base64url; the PHC format uses plain base64, which every argon2 library reads. */
async function useStandardHashes(db: Kysely<never>): Promise<void> {
  await sql`update users set password_hash = translate(password_hash, '-_', '+/') where password_hash is not null`.execute(
    db,
  );
}
