import type { Context } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import type { Act } from './rules.ts';
import { insertAuditEntry } from './store.ts';

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
