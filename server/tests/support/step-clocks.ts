import { sql } from 'kysely';
import pg from 'pg';
import { vi } from 'vitest';
import type { Db } from '../../src/db/transaction.ts';
import { isPostgres } from './databases.ts';
import type { TestServer } from './test-server.ts';

const realNow = Date.now;

/** Moves the machine's clock and the one that pg-boss asks in the database. */
export async function stepClocks(
  { app, settings }: TestServer,
  { to, db = app.ctx.db }: { to: number; db?: Db },
): Promise<void> {
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + to);
  const statement = `create or replace function jobs.job_now() returns timestamptz
    as $$ select now() + interval '${to} milliseconds' $$ language sql stable`;
  if (!isPostgres) {
    await sql.raw(statement).execute(db);
    return;
  }
  const client = new pg.Client({ connectionString: settings.DATABASE_OWNER_URL });
  await client.connect();
  await client.query(statement);
  await client.end();
}
