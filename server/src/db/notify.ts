import { sql } from 'kysely';
import type { Db } from './transaction.ts';

/** Heard by every process that listens, when the transaction of `db` is committed. */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}
