import type { ParsedRequestOf, revokeSession as revokeSessionCall } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { listDevices } from './list-devices.ts';
import { deleteSession, deleteSessionsOf } from './store/sessions.ts';

export async function revokeSession(
  ctx: Context,
  actor: Actor,
  { session_id }: ParsedRequestOf<typeof revokeSessionCall>,
) {
  return inTransaction(ctx, async (inside) => {
    const ended = session_id
      ? Number(await deleteSession(inside.db, { id: session_id, userId: actor.id }))
      : await deleteSessionsOf(inside.db, { userId: actor.id, except: actor.sessionId });
    if (session_id && ended === 0) refuse('not_found');
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: actor.id,
      act: 'session_revoked',
      detail: { ended },
    });
    record(ctx, 'session_revoked', { user_id: actor.id, ended });
    const message = ended === 1 ? 'One device is signed out.' : `${ended} devices are signed out.`;
    return { sessions: await listDevices(inside, actor), message };
  });
}
