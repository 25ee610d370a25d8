import type { SignedInDevice } from '@rowmill/contract';
import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { devicesSignedOut } from '../../../texts/identity.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { liveSessionBounds } from '../rules.ts';
import { deleteSession, deleteSessionsOf, listSessions } from '../store/sessions.ts';

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

/** Signs out the named device, or all devices but this one. */
export const revokeSession: Handler<'revokeSession'> = async (ctx, actor, { session_id }) => {
  return inTransaction(ctx, async (ctx) => {
    const ended = session_id
      ? Number(await deleteSession(ctx.db, { id: session_id, userId: actor.id }))
      : await deleteSessionsOf(ctx.db, { userId: actor.id, except: actor.sessionId });
    if (session_id && ended === 0) refuse('not_found');
    await writeAuditEntry(ctx, { actor, subjectId: actor.id }, 'session_revoked', { ended });
    record(ctx, 'session_revoked', { user_id: actor.id, ended });
    return { sessions: await listDevices(ctx, actor), message: devicesSignedOut(ended) };
  });
};
