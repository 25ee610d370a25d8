import type { Context } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import { insertAuditEntry } from './store.ts';

/** Acts that are kept: what changes somebody's security, role or credits, and whatever is done for another. */
export type Act =
  | 'password_changed'
  | 'password_reset'
  | 'password_reset_by_admin'
  | 'address_change_asked'
  | 'address_changed'
  | 'address_verified'
  | 'profile_changed'
  | 'billing_address_changed'
  | 'session_revoked'
  | 'client_invited'
  | 'credits_given'
  | 'plan_taken'
  | 'sheet_uploaded'
  | 'variable_changed'
  | 'question_asked'
  | 'batch_started'
  | 'batch_played'
  | 'batch_paused'
  | 'batch_stopped'
  | 'batch_retried'
  | 'batch_deleted'
  | 'account_deleted'
  | 'operator_made';

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
