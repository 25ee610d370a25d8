import type { Db } from '../../../db/transaction.ts';

export async function listVariables(db: Db, userId: string) {
  return db
    .selectFrom('variables')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute();
}

export async function saveVariable(
  db: Db,
  variable: { user_id: string; name: string; value: string },
): Promise<void> {
  await db
    .insertInto('variables')
    .values(variable)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'name']).doUpdateSet({ value: variable.value }),
    )
    .execute();
}

export async function deleteVariable(
  db: Db,
  { user_id, name }: { user_id: string; name: string },
): Promise<void> {
  await db
    .deleteFrom('variables')
    .where('user_id', '=', user_id)
    .where('name', '=', name)
    .execute();
}

export async function deleteVariablesOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('variables').where('user_id', '=', userId).execute();
}
