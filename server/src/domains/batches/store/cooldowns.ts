import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

/** The later of two cooldowns wins. */
export async function upsertCooldown(
  db: Db,
  cooldown: { model: string; until: Date },
): Promise<void> {
  await db
    .insertInto('cooldowns')
    .values(cooldown)
    .onConflict((conflict) =>
      conflict
        .column('model')
        .doUpdateSet({ until: sql<Date>`greatest(cooldowns.until, excluded.until)` }),
    )
    .execute();
}

export async function findCooldown(db: Db, model: string) {
  return db.selectFrom('cooldowns').select('until').where('model', '=', model).executeTakeFirst();
}
