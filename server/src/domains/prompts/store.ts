import { countLimit, type FormatFinding, listedAnswerLength } from '@rowmill/contract';
import { type Insertable, sql, type Updateable } from 'kysely';
import { contains, type SearchedPage } from '../../db/lists.ts';
import type { SinglePromptTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { searched } from '../../lib/search.ts';

/** False when this request has asked it before. */
export async function insertPrompt(
  db: Db,
  prompt: Insertable<SinglePromptTable>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('single_prompts')
    .values(prompt)
    .onConflict((conflict) => conflict.constraint('single_prompts_ask_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findPromptByKey(
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

/** A failed prompt is free, so only its start is kept, and its request may ask again. */
const isCut = sql<boolean>`state = 'failed' and char_length(template) >= ${searched.characters}`;

/** False when the prompt has ended. */
export async function endPrompt(
  db: Db,
  id: string,
  changes: Updateable<SinglePromptTable>,
): Promise<boolean> {
  const ended = await db
    .updateTable('single_prompts')
    .set({
      ...changes,
      reserved: 0,
      ...(changes.state === 'failed'
        ? { template: sql<string>`left(template, ${searched.characters})`, ask_key: null }
        : {}),
    })
    .where('id', '=', id)
    .where('state', '=', 'asking')
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** The entry of a batch in the history of prompts, found by the index over its owner and start. */
export async function deletePromptOfBatch(
  db: Db,
  { id, user_id, started_at }: { id: string; user_id: string; started_at: Date | null },
): Promise<void> {
  if (!started_at) return;
  await db
    .deleteFrom('single_prompts')
    .where('user_id', '=', user_id)
    .where('asked_at', '=', started_at)
    .where('batch_id', '=', id)
    .execute();
}

export async function listUnendedPrompts(db: Db, askedBefore: Date) {
  return db
    .selectFrom('single_prompts')
    .selectAll()
    .where('state', '=', 'asking')
    .where('asked_at', '<', askedBefore)
    .execute();
}

export async function lockUnendedPromptsOf(db: Db, userId: string) {
  return db
    .selectFrom('single_prompts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'asking')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function listPrompts(
  db: Db,
  { userId, start, limit, search }: SearchedPage & { userId: string },
) {
  const counted = search === '' ? countLimit({ start, limit }) : searched.prompts;
  return newestPrompts(db, userId, counted)
    .select([
      'id',
      'template',
      'asked_at',
      'sheet_name',
      'rows',
      'is_question_cut',
      sql<number>`count(*) over ()`.as('total'),
    ])
    .$if(search !== '', (query) => query.where(contains(sql`template`, search)))
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

/** How many prompts a search compares; undefined when these are all. */
export async function boundOfPromptSearch(db: Db, userId: string) {
  const beyond = await newestPrompts(db, userId, searched.prompts + 1)
    .select('id')
    .offset(searched.prompts)
    .executeTakeFirst();
  return beyond && { prompts: searched.prompts };
}

/** By the ids of their prompts. Answers are long, so only those of a page are read. */
export async function listAnswers(
  db: Db,
  { userId, ids }: { userId: string; ids: readonly string[] },
) {
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom('single_prompts')
    .select([
      'id',
      sql<string | null>`left(answer, ${listedAnswerLength})`.as('answer'),
      sql<boolean>`coalesce(char_length(answer) > ${listedAnswerLength}, false)`.as(
        'is_answer_cut',
      ),
      'problem',
      'charged',
    ])
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute();
  return new Map(found.map(({ id, ...answer }) => [id, answer]));
}

function newestPrompts(db: Db, userId: string, count: number) {
  return db.selectFrom((eb) =>
    eb
      .selectFrom('single_prompts')
      .select(['id', 'template', 'asked_at', 'sheet_name', 'rows', isCut.as('is_question_cut')])
      .where('user_id', '=', userId)
      .orderBy('asked_at', 'desc')
      .orderBy('id', 'desc')
      .limit(count)
      .as('newest'),
  );
}

/** Comparing thousands of long templates would hold up the database. */
const comparedPrompts = 100;

/** The newest prompt of each distinct template, of the last prompts, that can be used again. */
export async function listDistinctPrompts(
  db: Db,
  { userId, limit }: { userId: string; limit: number },
) {
  const distinct = newestPrompts(db, userId, comparedPrompts)
    .selectAll()
    .where('is_question_cut', '=', false)
    .distinctOn(sql`md5(template)`)
    .orderBy(sql`md5(template)`)
    .orderBy('asked_at', 'desc')
    .as('distinct_prompts');
  return db.selectFrom(distinct).selectAll().orderBy('asked_at', 'desc').limit(limit).execute();
}

export async function deletePromptsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('single_prompts').where('user_id', '=', userId).execute();
}

/** Returns how many were deleted. */
export async function deleteEndedPromptsOf(db: Db, userId: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('single_prompts')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('single_prompts')
        .select('id')
        .where('user_id', '=', userId)
        .where('state', '!=', 'asking')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Saves a person's variables one after the other, so that together they keep to the limit. */
export async function lockVariables(db: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`variables:${userId}`}))`.execute(db);
}

export async function listVariables(db: Db, userId: string) {
  return db
    .selectFrom('variables')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute();
}

export async function insertOrUpdateVariable(
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

/** All findings, however old, to be shown by provider and model. */
export async function listFormats(db: Db): Promise<Map<string, FormatFinding>> {
  const found = await db
    .selectFrom('model_formats')
    .select(['provider', 'model', 'finding'])
    .execute();
  return new Map(found.map(({ provider, model, finding }) => [`${provider} ${model}`, finding]));
}

export async function findFormat(
  db: Db,
  { provider, model, since }: { provider: string; model: string; since: Date },
): Promise<FormatFinding | undefined> {
  const found = await db
    .selectFrom('model_formats')
    .select('finding')
    .where('provider', '=', provider)
    .where('model', '=', model)
    .where('found_at', '>=', since)
    .executeTakeFirst();
  return found?.finding;
}

export async function upsertFormat(
  db: Db,
  found: { provider: string; model: string; finding: FormatFinding; found_at: Date },
  oldest: Date,
): Promise<void> {
  await db.deleteFrom('model_formats').where('found_at', '<', oldest).execute();
  await db
    .insertInto('model_formats')
    .values(found)
    .onConflict((conflict) =>
      conflict.columns(['provider', 'model']).doUpdateSet((change) => ({
        finding: change.ref('excluded.finding'),
        found_at: change.ref('excluded.found_at'),
      })),
    )
    .execute();
}
