import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { forgetFormerClient, listClientsOf, rememberFormerClient } from './store/former-clients.ts';
import { type UserRow, updateUser } from './store/users.ts';

interface Reassignment {
  client: UserRow;
  adminId: string | null;
  reason: string;
}

/** Belongs into a transaction. Whoever looked after him is known as such, so that he can be told instead of puzzled. */
export async function reassignClient(
  ctx: Context,
  actor: Actor,
  { client, adminId, reason }: Reassignment,
): Promise<void> {
  const before = client.admin_id;
  if (before === adminId) return;
  await updateUser(ctx.db, client.id, { admin_id: adminId });
  if (before)
    await rememberFormerClient(ctx.db, {
      clientId: client.id,
      adminId: before,
      now: ctx.clock.now(),
    });
  if (adminId) await forgetFormerClient(ctx.db, { clientId: client.id, adminId });
  const detail = { from: before, to: adminId, reason };
  await writeAuditEntry(ctx, {
    actorId: actor.id,
    subjectId: client.id,
    act: 'client_moved',
    detail,
  });
  record(ctx, 'client_moved', {
    user_id: client.id,
    actor_id: actor.id,
    from: before,
    to: adminId,
  });
}

/** Nobody looks after them from now on, and each finds that in his log. */
export async function releaseClients(
  ctx: Context,
  actor: Actor,
  { adminId, reason }: { adminId: string; reason: string },
) {
  for (const client of await listClientsOf(ctx.db, adminId)) {
    await reassignClient(ctx, actor, { client, adminId: null, reason });
  }
}
