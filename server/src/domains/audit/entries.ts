import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { newId } from '../../lib/ids.ts';
import { type Act, describeAct } from '../../texts/audit.ts';
import { insertAuditEntry, listActivityOf } from './store.ts';

/** Call it in the transaction of the act, so that neither exists without the other. */
export async function writeAuditEntry(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
  people: { actorId: string; subjectId: string },
  act: Act,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const at = ctx.clock.now();
  const { requestId } = ctx;
  await insertAuditEntry(ctx.db, { id: newId(at), at, act, detail, requestId, ...people });
}

/**
 * What was done to a person, and what they did for others. An admin who looks for a client sees
 * only the first: the client may have been an admin with clients.
 */
export const listActivity: Handler<'getActivity'> = async (
  ctx,
  { actor, subjectId },
  { start, limit },
) => {
  const isSelf = actor.id === subjectId;
  const rows = await listActivityOf(ctx.db, { subjectId, withOwnActs: isSelf, start, limit });
  const entries = rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    by: { id: row.actor_id, name: row.actor_name, is_self: row.actor_id === actor.id },
    what:
      describeAct(row.act, row.detail) +
      (row.subject_id === subjectId ? '' : ` (for ${row.subject_name})`),
    path: row.subject_id === subjectId ? pathOf(row) : null,
  }));
  return { entries, total: rows[0]?.total ?? 0 };
};

/** The page of the batch that an act was about. Previews and deleted batches have none. */
function pathOf({ act, detail }: { act: string; detail: Record<string, unknown> }): string | null {
  const hasPage = act.startsWith('batch_') && act !== 'batch_deleted';
  return hasPage && typeof detail.batch === 'string' ? `/history/${detail.batch}` : null;
}
