import type { Context } from '../../context.ts';
import { after } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';
import { liveSessionBounds, seenResolution } from './rules.ts';
import { findLiveSession, touchSession } from './store/sessions.ts';

/**
 * Whose token this is, if it still opens anything. For the session gate, which alone makes an Actor of it. A look that no
 * person has caused does not keep a session alive.
 */
export async function findActor(ctx: Context, token: string, { isSeen }: { isSeen: boolean }) {
  const now = ctx.clock.now();
  const session = await findLiveSession(ctx.db, {
    tokenHash: hashSecret(token),
    ...liveSessionBounds(now),
  });
  if (!session) return null;
  if (isSeen && session.last_seen_at <= after(now, -seenResolution)) {
    await touchSession(ctx.db, { id: session.id, userId: session.user_id, now });
  }
  return {
    id: session.user_id,
    sessionId: session.id,
    roleId: session.role_id,
    isVerified: session.email_verified_at !== null,
  };
}
