import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

/** Of a lane. The later of two cooldowns wins. */
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

/** Of all lanes of a provider key. Returns how many there were. */
export async function deleteCooldowns(db: Db, key: string): Promise<number> {
  const ended = await db
    .deleteFrom('cooldowns')
    .where(sql<boolean>`model = ${key} or starts_with(model, ${`${key} `})`)
    .returning('model')
    .execute();
  return ended.length;
}

/** Those that end after an instant. */
export async function listCooldowns(db: Db, after: Date) {
  return db.selectFrom('cooldowns').selectAll().where('until', '>', after).execute();
}
