import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { newId } from '../../lib/ids.ts';
import { type Act, describeAct } from '../../texts/audit.ts';
import { insertAuditEntry, listActivityOf, listBatchNames } from './store.ts';

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
  const ids = [...new Set(rows.flatMap((row) => batchOf(row) ?? []))];
  const names = await listBatchNames(ctx.db, { userId: subjectId, ids });
  const entries = rows.map((row) => {
    const batch = batchOf(row);
    const batchName = batch === null ? undefined : names.get(batch);
    return {
      id: row.id,
      at: row.at.toISOString(),
      by: { id: row.actor_id, name: row.actor_name, is_self: row.actor_id === actor.id },
      what:
        describeAct(row.act, { ...row.detail, batchName }) +
        (row.subject_id === subjectId ? '' : ` (for ${row.subject_name})`),
      // A preview has no page.
      path: batchName === undefined || row.act === 'rows_tried' ? null : `/history/${batch}`,
    };
  });
  return { entries, total: rows[0]?.total ?? 0 };
};

/** The id of the batch that an act was about. */
function batchOf({ detail }: { detail: Record<string, unknown> }): string | null {
  return typeof detail.batch === 'string' ? detail.batch : null;
}
