import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

/** One more try under this key; a window that has passed starts anew. */
export async function addTry(
  db: Db,
  { key, now, resetsAt }: { key: string; now: Date; resetsAt: Date },
) {
  return db
    .insertInto('rate_limits')
    .values({ key, attempts: 1, resets_at: resetsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        attempts: sql<number>`case when rate_limits.resets_at <= ${now} then 1 else rate_limits.attempts + 1 end`,
        resets_at: sql<Date>`case when rate_limits.resets_at <= ${now} then excluded.resets_at else rate_limits.resets_at end`,
      }),
    )
    .returning(['attempts', 'resets_at'])
    .executeTakeFirstOrThrow();
}

export async function takeBackTry(db: Db, key: string): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('key', '=', key)
    .where('attempts', '>', 0)
    .execute();
}

export async function deleteThrottlesBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limits').where('resets_at', '<', now).execute();
}
