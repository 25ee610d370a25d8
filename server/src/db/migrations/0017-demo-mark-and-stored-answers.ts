import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await createDemoMark(db);
  await useStandardHashes(db);
  await linkStoredAnswers(db);
  await removeVariableNames(db);
}

/** The mark of a demo's database. The operator that only a demo creates shows an earlier one. */
async function createDemoMark(db: Kysely<never>): Promise<void> {
  await sql`create table demo_mark (id integer primary key check (id = 1))`.execute(db);
  await sql`
    insert into demo_mark (id)
    select 1 where exists (select from users where email = 'operator@demo.test' and role_id = 3)`.execute(
    db,
  );
}

/** Password hashes were in base64url; the PHC format uses plain base64. */
async function useStandardHashes(db: Kysely<never>): Promise<void> {
  await sql`update users set password_hash = translate(password_hash, '-_', '+/') where password_hash is not null`.execute(
    db,
  );
}

/** A stored answer is deleted with everything it names. Earlier answers name their person. */
async function linkStoredAnswers(db: Kysely<never>): Promise<void> {
  await sql`
    alter table idempotency_keys
      add column about text[] not null default '{}',
      add column is_dropped boolean not null default false`.execute(db);
  await sql`update idempotency_keys set about = array[user_id]`.execute(db);
  await sql`create index idempotency_keys_about on idempotency_keys using gin (about)`.execute(db);
  await sql`
    alter policy in_scope on idempotency_keys using (
      (select is_system_scope())
      or user_id = any ((select people_in_scope())::text[])
      or user_id = nullif(current_setting('rowmill.actor', true), '')
      or about && (select people_in_scope())::text[])`.execute(db);
}

/** People choose the names of variables, and audit entries outlive the account. */
async function removeVariableNames(db: Kysely<never>): Promise<void> {
  await sql`alter table audit_entries disable trigger audit_entries_append_only`.execute(db);
  await sql`update audit_entries set detail = '{}' where act = 'variable_changed'`.execute(db);
  await sql`alter table audit_entries enable trigger audit_entries_append_only`.execute(db);
}
