import type { CallRequest } from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import type { NotificationTable } from '../../db/schema.ts';
import { newId } from '../../lib/ids.ts';
import { insertNotification, listNotifications, markRead } from './store.ts';

interface News {
  userId: string;
  kind: NotificationTable['kind'];
  text: string;
  /** The page about it. */
  path: string;
  batchId?: string;
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
    kind: news.kind,
    text: news.text,
    path: news.path,
    wants_email: news.wantsEmail ?? false,
    emailed_at: news.emailedAt ?? null,
    created_at: now,
  });
  await ctx.publish(ctx.db, { user_id: news.userId, is_news: true });
}

export async function showNotifications(ctx: Context, actor: Actor) {
  const rows = await listNotifications(ctx.db, actor.id);
  return {
    notifications: rows.map(({ read_at, created_at, ...row }) => ({
      ...row,
      is_read: read_at !== null,
      created_at: created_at.toISOString(),
    })),
    unread: rows.filter(({ read_at }) => read_at === null).length,
  };
}

export async function markNotificationsRead(
  ctx: Context,
  actor: Actor,
  { batch_id }: CallRequest<'readNotifications'>,
) {
  await markRead(ctx.db, { userId: actor.id, batchId: batch_id, now: ctx.clock.now() });
  return showNotifications(ctx, actor);
}
