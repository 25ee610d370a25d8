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

/** Those that end after an instant, by the keys of their providers. */
export async function listCooldowns(db: Db, models: readonly string[], after: Date) {
  const rows = await db
    .selectFrom('cooldowns')
    .selectAll()
    .where('model', 'in', models)
    .where('until', '>', after)
    .execute();
  return new Map(rows.map(({ model, until }) => [model, until]));
}

export async function findCooldown(db: Db, model: string): Promise<Date | undefined> {
  const found = db.selectFrom('cooldowns').select('until').where('model', '=', model);
  return (await found.executeTakeFirst())?.until;
}
