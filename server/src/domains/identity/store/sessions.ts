import type { Insertable } from 'kysely';
import type { SessionTable } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';
import { sessionsPerPerson } from '../../../lib/stored-bounds.ts';

/**
 * Ends the sessions beyond the bound. The person must be locked: two calls that end the same
 * sessions could wait for each other.
 */
export async function insertSession(db: Db, session: Insertable<SessionTable>): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', session.user_id)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(sessionsPerPerson),
    )
    .execute();
}

/** The session of a token, unless it has expired or its person is deleted or suspended. */
export async function findLiveSession(
  db: Db,
  { tokenHash, seenAfter, bornAfter }: { tokenHash: string; seenAfter: Date; bornAfter: Date },
) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.last_seen_at',
      'users.role_id',
      'users.email_verified_at',
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.last_seen_at', '>=', seenAfter)
    .where('sessions.created_at', '>=', bornAfter)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .executeTakeFirst();
}

export async function touchSession(
  db: Db,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute();
  await db.updateTable('users').set({ last_seen_at: now }).where('id', '=', userId).execute();
}

export async function listSessions(
  db: Db,
  { userId, seenAfter, bornAfter }: { userId: string; seenAfter: Date; bornAfter: Date },
) {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('last_seen_at', '>=', seenAfter)
    .where('created_at', '>=', bornAfter)
    .orderBy('last_seen_at', 'desc')
    .execute();
}

/** Deletes all sessions of a person, or all but one, and returns how many. */
export async function deleteSessionsOf(
  db: Db,
  { userId, except }: { userId: string; except?: string },
): Promise<number> {
  const others = db.deleteFrom('sessions').where('user_id', '=', userId);
  const result = await (except ? others.where('id', '<>', except) : others).executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function deleteSession(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteExpiredSessions(
  db: Db,
  { seenAfter, bornAfter }: { seenAfter: Date; bornAfter: Date },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('last_seen_at', '<', seenAfter), eb('created_at', '<', bornAfter)]))
    .execute();
}
