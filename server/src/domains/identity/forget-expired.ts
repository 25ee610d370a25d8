import type { Context } from '../../context.ts';
import { after } from '../../lib/clock.ts';
import { expiredLinkMemory, liveSessionBounds } from './rules.ts';
import { deleteLinksExpiredBefore } from './store/links.ts';
import { deleteSessionsNotSeenSince } from './store/sessions.ts';

export async function forgetExpired(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await deleteSessionsNotSeenSince(ctx.db, liveSessionBounds(now));
  await deleteLinksExpiredBefore(ctx.db, after(now, -expiredLinkMemory));
}
