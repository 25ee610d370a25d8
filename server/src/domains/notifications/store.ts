import type { Insertable } from 'kysely';
import type { NotificationTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

const rememberedNotifications = 50;

/** Keeps the newest ones of a person. */
export async function insertNotification(
  db: Db,
  notification: Insertable<NotificationTable>,
): Promise<void> {
  await db.insertInto('notifications').values(notification).execute();
  await db
    .deleteFrom('notifications')
    .where('user_id', '=', notification.user_id)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', notification.user_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(rememberedNotifications),
    )
    // One whose email is not sent yet is deleted after that.
    .where((eb) =>
      eb.or([
        eb('wants_email', '=', false),
        eb('emailed_at', 'is not', null),
        eb('read_at', 'is not', null),
      ]),
    )
    .execute();
}

export async function listNotifications(db: Db, userId: string) {
  return db
    .selectFrom('notifications')
    .select(['id', 'kind', 'text', 'path', 'read_at', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(rememberedNotifications)
    .execute();
}

/** All of a person, or those about one batch. Returns whether any was unread. */
export async function markRead(
  db: Db,
  { userId, batchId, now }: { userId: string; batchId?: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(batchId !== undefined, (query) => query.where('batch_id', '=', batchId as string))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Also those that tell an admin of this person. */
export async function deleteNotifications(
  db: Db,
  about: { userId: string } | { batchId: string },
): Promise<void> {
  const query = db.deleteFrom('notifications');
  await ('userId' in about
    ? query.where((eb) => eb.or({ user_id: about.userId, client_id: about.userId }))
    : query.where('batch_id', '=', about.batchId)
  ).execute();
}

interface Wait {
  now: Date;
  /** Waits until this age, so that a person who watches has read it. */
  before: Date;
  /** The people who got an email after this wait for the next one. */
  lastEmailBefore: Date;
}

/** Marks what is due as emailed and returns it. */
export async function takeDueEmails(db: Db, { now, before, lastEmailBefore }: Wait) {
  return db
    .updateTable('notifications')
    .set({ emailed_at: now })
    .where('wants_email', '=', true)
    .where('emailed_at', 'is', null)
    .where('read_at', 'is', null)
    .where('created_at', '<=', before)
    .where('user_id', 'not in', (eb) =>
      eb.selectFrom('notifications').select('user_id').where('emailed_at', '>', lastEmailBefore),
    )
    .returning(['user_id', 'batch_id', 'kind'])
    .execute();
}

/** Whether an email told its end, such as before some of its rows ran again. */
export async function wasEndEmailed(db: Db, batchId: string): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select('id')
    .where('batch_id', '=', batchId)
    .where('kind', '=', 'batch_completed')
    .where('emailed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the person was emailed after this. */
export async function wasEmailedAfter(db: Db, userId: string, instant: Date): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', userId)
    .where('emailed_at', '>', instant)
    .executeTakeFirst();
  return row !== undefined;
}
