import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import type { NotificationTable } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { insertNotification, listNotifications, markRead } from './store.ts';

interface News {
  userId: string;
  kind: NotificationTable['kind'];
  text: string;
  /** The page about it. */
  path: string;
  batchId?: string;
  /** Whom news for an admin names. */
  clientId?: string;
  wantsEmail?: boolean;
  emailedAt?: Date;
}

/** Adds to what the bell shows. Belongs in the transaction of its cause. */
export async function notify(ctx: Context, news: News): Promise<void> {
  const now = ctx.clock.now();
  await insertNotification(ctx.db, {
    id: newId(now),
    user_id: news.userId,
    batch_id: news.batchId ?? null,
    client_id: news.clientId ?? null,
    kind: news.kind,
    text: news.text,
    path: news.path,
    wants_email: news.wantsEmail ?? false,
    emailed_at: news.emailedAt ?? null,
    created_at: now,
  });
  await ctx.publish(ctx.db, { user_id: news.userId, is_news: true });
}

export const showNotifications: Handler<'getNotifications'> = async (ctx, actor) => {
  const rows = await listNotifications(ctx.db, actor.id);
  return {
    notifications: rows.map(({ read_at, created_at, ...row }) => ({
      ...row,
      is_read: read_at !== null,
      created_at: created_at.toISOString(),
    })),
    unread: rows.filter(({ read_at }) => read_at === null).length,
  };
};

export const markNotificationsRead: Handler<'readNotifications'> = async (
  ctx,
  actor,
  { batch_id },
) => {
  await inTransaction(ctx, async (ctx) => {
    const read = { userId: actor.id, batchId: batch_id, now: ctx.clock.now() };
    // The bells of other tabs and devices count them too.
    if (await markRead(ctx.db, read))
      await ctx.publish(ctx.db, { user_id: actor.id, is_news: true });
  });
  return showNotifications(ctx, actor, {});
};
