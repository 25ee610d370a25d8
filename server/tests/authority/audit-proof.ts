import { sql } from 'kysely';
import pg from 'pg';
import type { TestServer } from '../support/test-server.ts';

/** Runs `act` while every audit entry by or about these people fails. */
export async function withFailingAudit<T>(
  server: TestServer,
  people: readonly string[],
  act: () => Promise<T>,
): Promise<T> {
  const ids = people.map((id) => `'${id}'`).join();
  await asOwner(
    server,
    `create trigger no_entry before insert on audit_entries for each row
    when (new.subject_id in (${ids}) or new.actor_id in (${ids})) execute function refuse_change()`,
  );
  try {
    return await act();
  } finally {
    await asOwner(server, 'drop trigger no_entry on audit_entries');
  }
}

/** The product's own role has no right to do this. */
async function asOwner({ app, settings }: TestServer, statement: string): Promise<void> {
  const owner = settings.DATABASE_OWNER_URL;
  if (!owner) return void (await sql.raw(statement).execute(app.ctx.db));
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The audit entries by or about these people, each with its transaction. */
export async function auditEntriesOf({ app }: TestServer, people: readonly string[]) {
  const { rows } = await sql<{
    actor_id: string;
    subject_id: string;
    act: string;
    transaction: string;
  }>`
    select actor_id, subject_id, act, xmin::text as transaction from audit_entries
    where actor_id in (${sql.join(people)}) or subject_id in (${sql.join(people)}) order by id`.execute(
    app.ctx.db,
  );
  return rows;
}

/** Written even when a call fails. */
const ignoredTables = ['audit_entries', 'rate_limits'];
/** Tables without an owner. */
const sharedTables = ['plans', 'packs', 'tax', 'catalogue_history', 'providers', 'models'];

/**
 * Every row that names one of these people, and the whole catalogue, each with its transaction. The
 * times of the last visit and of the last check with a provider are left out, because no user
 * causes them.
 */
export async function rowsNaming(
  { app }: TestServer,
  people: readonly string[],
): Promise<Map<string, string>> {
  const { db } = app.ctx;
  const tables = await sql<{ name: string }>`select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`.execute(db);
  const found = new Map<string, string>();
  for (const { name } of tables.rows.filter(({ name }) => !ignoredTables.includes(name))) {
    const { rows } = await sql<{ row: string; transaction: string }>`
      select (to_jsonb(t) - 'last_seen_at' - 'checked_at')::text as row, xmin::text as transaction from ${sql.table(name)} t
      where ${sharedTables.includes(name)} or to_jsonb(t)::text ~ ${people.join('|')} order by 1`.execute(
      db,
    );
    for (const { row, transaction } of rows) found.set(`${name} ${row}`, transaction);
  }
  return found;
}
