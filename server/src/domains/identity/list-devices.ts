import type { SignedInDevice } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { liveSessionBounds } from './rules.ts';
import { listSessions } from './store/sessions.ts';

export async function listDevices(ctx: Context, actor: Actor): Promise<SignedInDevice[]> {
  const sessions = await listSessions(ctx.db, {
    userId: actor.id,
    ...liveSessionBounds(ctx.clock.now()),
  });
  return sessions.map((session) => ({
    id: session.id,
    device: session.device,
    created_at: session.created_at.toISOString(),
    last_seen_at: session.last_seen_at.toISOString(),
    current: session.id === actor.sessionId,
  }));
}
