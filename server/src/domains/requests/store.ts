import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/** Counts attempts for a key and returns its window. A new window starts with them. */
export async function addAttempts(
  db: Db,
  { key, count, now, resetsAt }: { key: string; count: number; now: Date; resetsAt: Date },
) {
  // A much later end means a clock that stepped back. Simultaneous attempts differ less.
  const isOver = sql`(rate_limits.resets_at <= ${now}
    or rate_limits.resets_at > excluded.resets_at + interval '1 minute')`;
  return db
    .insertInto('rate_limits')
    .values({ key, attempts: count, resets_at: resetsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        attempts: sql<number>`case when ${isOver} then excluded.attempts else rate_limits.attempts + excluded.attempts end`,
        resets_at: sql<Date>`case when ${isOver} then excluded.resets_at else rate_limits.resets_at end`,
      }),
    )
    .returning(['attempts', 'resets_at'])
    .executeTakeFirstOrThrow();
}

/**
 * Deletes the counter of a single attempt: failed sign-ins with many addresses must not fill the
 * table.
 */
export async function removeAttempt(db: Db, key: string): Promise<void> {
  await db
    .with('only', (db) =>
      db
        .deleteFrom('rate_limits')
        .where('key', '=', key)
        .where('attempts', '<=', 1)
        .returning('key'),
    )
    .updateTable('rate_limits')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('key', '=', key)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('only').select('key'))))
    .execute();
}

/** Replaces the window of this key. */
export async function saveWindow(
  db: Db,
  { key, resetsAt }: { key: string; resetsAt: Date },
): Promise<void> {
  await db
    .insertInto('rate_limits')
    .values({ key, attempts: 1, resets_at: resetsAt })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ resets_at: resetsAt }))
    .execute();
}

export async function findWindow(db: Db, { key, now }: { key: string; now: Date }) {
  return db
    .selectFrom('rate_limits')
    .select(['attempts', 'resets_at'])
    .where('key', '=', key)
    .where('resets_at', '>', now)
    .executeTakeFirst();
}

export async function deleteReceiptsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('transaction_receipts').where('created_at', '<', before).execute();
}

export async function deleteRateLimitsBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limits').where('resets_at', '<', now).execute();
}

interface Key {
  userId: string;
  key: string;
}

/** False when the key exists. Waits while another transaction has it uncommitted. */
export async function insertKey(
  db: Db,
  {
    userId,
    key,
    requestHash,
    about,
    now,
  }: Key & { requestHash: string; about: string[]; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotency_keys')
    .values({
      user_id: userId,
      key,
      request_hash: requestHash,
      about,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Whether the key was stored by the request that began at `now`, and not by a repeat of it. */
export async function hasKey(db: Db, { userId, key, now }: Key & { now: Date }): Promise<boolean> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('key')
    .where(({ and }) => and({ user_id: userId, key }))
    .where('created_at', '=', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Four heartbeats are missing. */
const isKilled = sql<boolean>`alive_at < now() - interval '20 seconds'`;

export async function renewKey(db: Db, { userId, key }: Key): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ alive_at: sql<Date>`now()` })
    .where(({ and }) => and({ user_id: userId, key }))
    .execute();
}

/** False when another request was quicker, or the first one lives. */
export async function takeOverKey(db: Db, { userId, key }: Key): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ alive_at: sql<Date>`now()` })
    .where(({ and }) => and({ user_id: userId, key }))
    .where('answer', 'is', null)
    .where(isKilled)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function findKey(db: Db, { userId, key }: Key) {
  return db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer', 'is_dropped', isKilled.as('is_killed')])
    .where(({ and }) => and({ user_id: userId, key }))
    .executeTakeFirst();
}

type NewAnswer = Key & { answer: Record<string, unknown>; about: string[] };

export async function saveAnswer(db: Db, answer: NewAnswer): Promise<void> {
  await answering(db, answer).execute();
}

/** False when the key has an answer, or is gone. */
export async function saveFirstAnswer(db: Db, answer: NewAnswer): Promise<boolean> {
  const { numUpdatedRows } = await answering(db, answer)
    .where('answer', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

function answering(db: Db, { userId, key, answer, about }: NewAnswer) {
  return (
    db
      .updateTable('idempotency_keys')
      .set({
        answer: JSON.stringify(answer),
        about: sql<string[]>`about || ${sql.val(about)}::text[]`,
      })
      .where('user_id', '=', userId)
      .where('key', '=', key)
      // What the answer is about was deleted while the request ran.
      .where('is_dropped', '=', false)
  );
}

/**
 * Deletes the answers about deleted people, sheets or batches, in the transaction of the deletion.
 * The keys stay, so that a repeated request does not act again.
 */
export async function dropAnswersAbout(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: null, is_dropped: true })
    .where(sql<boolean>`about && ${sql.val(ids)}::text[]`)
    .execute();
}

export async function deleteKey(db: Db, { userId, key }: Key): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where(({ and }) => and({ user_id: userId, key }))
    .execute();
}

export async function deleteKeysBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute();
}

const workWithKeys = [
  ['single_prompts', 'ask_key', 'asked_at'],
  ['batches', 'start_key', 'started_at'],
  ['orders', 'order_key', 'created_at'],
] as const;
/** Each prompt has triggers, and others wait for a statement on the embedded database. */
const keysPerStatement = 1_000;

/** Otherwise a key that is used again would find the old work. */
export async function forgetWorkKeysBefore(db: Db, before: Date): Promise<void> {
  for (const [table, key, startedAt] of workWithKeys) {
    const old = sql`select id from ${sql.table(table)}
      where ${sql.ref(key)} is not null and ${sql.ref(startedAt)} < ${before} limit ${keysPerStatement}`;
    let forgotten = keysPerStatement;
    while (forgotten === keysPerStatement) {
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${sql.ref(key)} = null where id in (${old})`.execute(db);
      forgotten = Number(numAffectedRows);
    }
  }
}

/** Keys whose request ended without an answer, such as in a crash. */
export async function deleteUnansweredKeysBefore(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('answer', 'is', null)
    .where('is_dropped', '=', false)
    .where('created_at', '<', before)
    .execute();
}
