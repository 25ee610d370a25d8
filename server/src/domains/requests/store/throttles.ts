import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

/** One more try under this key; a window that has passed starts anew. */
export async function addTry(
  db: Db,
  { key, now, resetsAt }: { key: string; now: Date; resetsAt: Date },
) {
  return db
    .insertInto('throttles')
    .values({ key, tries: 1, resets_at: resetsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        tries: sql<number>`case when throttles.resets_at <= ${now} then 1 else throttles.tries + 1 end`,
        resets_at: sql<Date>`case when throttles.resets_at <= ${now} then excluded.resets_at else throttles.resets_at end`,
      }),
    )
    .returning(['tries', 'resets_at'])
    .executeTakeFirstOrThrow();
}

export async function takeBackTry(db: Db, key: string): Promise<void> {
  await db
    .updateTable('throttles')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('key', '=', key)
    .where('tries', '>', 0)
    .execute();
}

export async function deleteThrottlesBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('throttles').where('resets_at', '<', now).execute();
}
