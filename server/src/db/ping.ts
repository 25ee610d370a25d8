import { sql } from 'kysely';
import type { Db } from './transaction.ts';

const patienceMilliseconds = 3_000;

/** Whether the database answers, and soon. */
export async function isReachable(db: Db): Promise<boolean> {
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  const patience = new Promise<boolean>((resolve) =>
    setTimeout(resolve, patienceMilliseconds, false).unref(),
  );
  return Promise.race([answer, patience]);
}
