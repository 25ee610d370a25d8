import type { Db } from '../../../db/transaction.ts';

interface Key {
  userId: string;
  key: string;
}

/** False when the key is there already; while another request holds it uncommitted, waits for that one's end. */
export async function insertKey(
  db: Db,
  { userId, key, requestHash, now }: Key & { requestHash: string; now: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, request_hash: requestHash, answer: null, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function getKey(db: Db, { userId, key }: Key) {
  return db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
}

export async function findKey(db: Db, { userId, key }: Key) {
  return db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
}

export async function deleteKey(db: Db, { userId, key }: Key): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute();
}

/** Keys whose request has died before it had an answer. */
export async function deleteUnanswered(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('answer', 'is', null)
    .where('created_at', '<', before)
    .execute();
}

export async function saveAnswer(
  db: Db,
  { userId, key, answer }: Key & { answer: Record<string, unknown> },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute();
}

export async function deleteKeysBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute();
}
