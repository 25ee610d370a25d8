import { sql } from 'kysely';
import pg from 'pg';
import { ConfigRefused } from '../config/problems.ts';
import type { Db } from './transaction.ts';

/**
 * Runs as the owner of the tables. Lets the serving role read and write all tables, later ones and
 * the queue's too, but only add to the audit log. Refuses a role without restrictions.
 */
export async function grantServingRole(owner: Db, connectionString: string): Promise<void> {
  const role = sql.id(await assertUnprivilegedRole(connectionString));
  await owner.transaction().execute(async (db) => {
    // Two processes that start together would change the same grants.
    await sql`select pg_advisory_xact_lock(hashtext('rowmill.grants'))`.execute(db);
    await sql`create schema if not exists jobs`.execute(db);
    for (const schema of ['public', 'jobs'].map((name) => sql.id(name))) {
      await sql`grant usage on schema ${schema} to ${role}`.execute(db);
      await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`.execute(
        db,
      );
      await sql`alter default privileges in schema ${schema}
        grant select, insert, update, delete on tables to ${role}`.execute(db);
      await sql`grant usage on all sequences in schema ${schema} to ${role}`.execute(db);
    }
    await sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock from ${role}`.execute(
      db,
    );
    await sql`revoke update, delete on audit_entries from ${role}`.execute(db);
  });
}

async function assertUnprivilegedRole(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select current_user::text as name, rolsuper or rolbypassrls as bypasses_policies,
         exists (select from pg_class where relname = 'users' and relnamespace = 'public'::regnamespace
           and pg_has_role(relowner, 'usage')) as is_owner
       from pg_roles where rolname = current_user`,
    );
    const [role] = rows as { name: string; bypasses_policies: boolean; is_owner: boolean }[];
    if (!role || role.bypasses_policies || role.is_owner) {
      throw new ConfigRefused([
        'With DATABASE_OWNER_URL, DATABASE_URL must connect as another role: one that does not own the tables and is neither superuser nor BYPASSRLS.',
      ]);
    }
    return role.name;
  } finally {
    await client.end();
  }
}
