import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { newId } from '../../lib/ids.ts';
import { type Act, describeAct } from '../../texts/audit.ts';
import { insertAuditEntries, listActivityOf, listNames } from './store.ts';

/** Call it in the transaction of the act, so that neither exists without the other. */
export async function writeAuditEntry(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
  { actor, subjectId }: { actor: { id: string }; subjectId: string },
  act: Act,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await writeAuditEntries(ctx, { actor, subjectIds: [subjectId] }, act, detail);
}

/** The same act on several people, in one statement. */
export async function writeAuditEntries(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
  { actor, subjectIds }: { actor: { id: string }; subjectIds: readonly string[] },
  act: Act,
  detail: Record<string, unknown>,
): Promise<void> {
  const at = ctx.clock.now();
  const subjects = subjectIds.map((subjectId) => ({ id: newId(at), subjectId }));
  const { requestId } = ctx;
  await insertAuditEntries(ctx.db, { at, actorId: actor.id, act, detail, requestId, subjects });
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
  const listing = { subjectId, withOwnActs: isSelf, start, limit };
  const { rows, total } = await listActivityOf(ctx.db, listing);
  const [batches, sheets] = await Promise.all([
    namesOf(ctx, { rows, userId: subjectId, table: 'batches', key: 'batch' }),
    namesOf(ctx, { rows, userId: subjectId, table: 'sheets', key: 'sheet' }),
  ]);
  const entries = rows.map(({ detail, new_admin_name: newAdminName, ...row }) => {
    const batchName = batches.get(detail.batch);
    const sheetName = sheets.get(detail.sheet);
    return {
      id: row.id,
      at: row.at.toISOString(),
      by: { id: row.actor_id, name: row.actor_name, is_self: row.actor_id === actor.id },
      what:
        describeAct(row.act, { ...detail, batchName, sheetName, newAdminName }) +
        (row.subject_id === subjectId ? '' : ` (for ${row.subject_name})`),
      // A preview has no page.
      path: batchName === undefined || row.act === 'rows_tried' ? null : `/history/${detail.batch}`,
    };
  });
  return { entries, total };
};

interface Named {
  rows: readonly { detail: Record<string, unknown> }[];
  userId: string;
  table: 'batches' | 'sheets';
  /** Where the detail of an entry has the id. */
  key: 'batch' | 'sheet';
}

async function namesOf({ db }: Context, { rows, userId, table, key }: Named) {
  const ids = rows.map(({ detail }) => detail[key]).filter((id) => typeof id === 'string');
  const names = await listNames(db, { table, userId, ids: [...new Set(ids)] });
  return new Map<unknown, string>(names);
}
