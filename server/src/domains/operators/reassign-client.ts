import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { openLimits } from '../credits/store.ts';
import { forgetFormerClient, rememberFormerClient } from '../identity/store/former-clients.ts';
import { type UserRow, updateUser } from '../identity/store/users.ts';

interface Reassignment {
  client: UserRow;
  adminId: string | null;
  reason: string;
}

/** Belongs into a transaction. Whoever looked after him is known as such, so that he can be told instead of puzzled. */
export async function reassignClient(ctx: Context, actor: Actor, { client, adminId, reason }: Reassignment): Promise<void> {
  const before = client.admin_id;
  if (before === adminId) return;
  await updateUser(ctx.db, client.id, { admin_id: adminId });
  if (before) await rememberFormerClient(ctx.db, { clientId: client.id, adminId: before, now: ctx.clock.now() });
  if (adminId) {
    await forgetFormerClient(ctx.db, { clientId: client.id, adminId });
    await openLimits(ctx.db, client.id);
  }
  const detail = { from: before, to: adminId, reason };
  await writeAuditEntry(ctx, { actorId: actor.id, subjectId: client.id, act: 'client_moved', detail });
  record(ctx, 'client_moved', { user_id: client.id, actor_id: actor.id, from: before, to: adminId });
}
