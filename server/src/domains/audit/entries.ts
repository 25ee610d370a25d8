import type { getActivity, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { newId } from '../../lib/ids.ts';
import { type Act, wordsFor } from '../../texts/audit.ts';
import { insertAuditEntry, listActivity } from './store.ts';

interface Entry {
  actorId: string;
  subjectId: string;
  act: Act;
  detail?: Record<string, unknown>;
}

/** Belongs into the transaction of the act itself: hand it the context of that transaction. */
export async function writeAuditEntry(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
  { detail = {}, ...entry }: Entry,
): Promise<void> {
  const at = ctx.clock.now();
  await insertAuditEntry(ctx.db, { id: newId(at), at, detail, requestId: ctx.requestId, ...entry });
}

/**
 * What concerns a person, in words. One who looks himself also sees what he did for others; an admin who looks for a
 * client does not, for the client may have looked after people of his own once.
 */
export async function listActivityOf(
  ctx: Context,
  acting: ActingFor,
  { start, limit }: ParsedRequestOf<typeof getActivity>,
) {
  const { actor, subjectId } = acting;
  const rows = await listActivity(ctx.db, {
    subjectId,
    withDoings: actor.id === subjectId,
    start,
    limit,
  });
  const entries = rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    by: { id: row.actor_id, name: row.actor_name, is_self: row.actor_id === actor.id },
    what:
      wordsFor(row.act, row.detail) +
      (row.subject_id === subjectId ? '' : ` (for ${row.subject_name})`),
  }));
  return { entries, total: rows[0]?.total ?? 0 };
}
