import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

/** Of two times the later stays. */
export async function saveRest(db: Db, rest: { model: string; until: Date }): Promise<void> {
  await db
    .insertInto('cooldowns')
    .values(rest)
    .onConflict((conflict) =>
      conflict
        .column('model')
        .doUpdateSet({ until: sql<Date>`greatest(cooldowns.until, excluded.until)` }),
    )
    .execute();
}

export async function findRest(db: Db, model: string) {
  return db.selectFrom('cooldowns').select('until').where('model', '=', model).executeTakeFirst();
}
