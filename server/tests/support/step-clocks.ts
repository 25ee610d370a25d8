import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Db } from '../../src/db/transaction.ts';
import { isPostgres } from './databases.ts';
import { asOwner, type TestServer } from './test-server.ts';

const realNow = Date.now;

/** Moves the machine's clock and the one that pg-boss asks in the database. */
export async function stepClocks(
  server: TestServer,
  { to, db = server.app.ctx.db }: { to: number; db?: Db },
): Promise<void> {
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + to);
  const statement = `create or replace function jobs.job_now() returns timestamptz
    as $$ select now() + interval '${to} milliseconds' $$ language sql stable`;
  if (isPostgres) await asOwner(server, statement);
  else await sql.raw(statement).execute(db);
}
