import { type Insertable, sql, type Updateable } from 'kysely';
import type { SinglePromptTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

/** Undefined when this key has asked already. */
export async function insertQuestion(db: Db, question: Insertable<SinglePromptTable>) {
  return db
    .insertInto('single_prompts')
    .values(question)
    .onConflict((conflict) => conflict.constraint('single_prompts_ask_key').doNothing())
    .returning('id')
    .executeTakeFirst();
}

export async function findQuestionByKey(
  db: Db,
  { userId, askKey }: { userId: string; askKey: string },
) {
  return db
    .selectFrom('single_prompts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ask_key', '=', askKey)
    .executeTakeFirst();
}

/** Only one that is still being asked: its end happens once. */
export async function endQuestion(db: Db, id: string, changes: Updateable<SinglePromptTable>) {
  return db
    .updateTable('single_prompts')
    .set({ ...changes, reserved: 0 })
    .where('id', '=', id)
    .where('state', '=', 'asking')
    .returningAll()
    .executeTakeFirst();
}

/** With the hold that each had: read before it ends. */
export async function listUnendedQuestions(db: Db, askedBefore: Date) {
  return db
    .selectFrom('single_prompts')
    .selectAll()
    .where('state', '=', 'asking')
    .where('asked_at', '<', askedBefore)
    .execute();
}

export async function lockQuestionsBeingAsked(db: Db, userId: string) {
  const asking = db
    .selectFrom('single_prompts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'asking');
  return asking.orderBy('id').forNoKeyUpdate().execute();
}

export async function listQuestions(
  db: Db,
  {
    userId,
    start,
    limit,
    search,
  }: { userId: string; start: number; limit: number; search: string },
) {
  return db
    .selectFrom('single_prompts')
    .select([
      'id',
      'template',
      'asked_at',
      'sheet_name',
      'rows',
      sql<number>`count(*) over ()`.as('total'),
    ])
    .where('user_id', '=', userId)
    .$if(search !== '', (query) =>
      query.where(
        'template',
        'ilike',
        `%${search.replace(/[\\%_]/g, (character) => `\\${character}`)}%`,
      ),
    )
    .orderBy('asked_at', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

/** The newest of each distinct template. */
export async function listDistinctQuestions(
  db: Db,
  { userId, limit }: { userId: string; limit: number },
) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('single_prompts')
        .select(['id', 'template', 'asked_at', 'sheet_name', 'rows'])
        .where('user_id', '=', userId)
        .distinctOn('template')
        .orderBy('template')
        .orderBy('asked_at', 'desc')
        .as('newest'),
    )
    .selectAll()
    .orderBy('asked_at', 'desc')
    .limit(limit)
    .execute();
}

export async function deleteQuestionsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('single_prompts').where('user_id', '=', userId).execute();
}

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
