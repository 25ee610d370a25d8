import { can } from '@rowmill/contract';
import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { refuse } from '../../../core/refusal.ts';
import { writeAuditEntry } from '../../audit/write-entry.ts';
import {
  forgetFormerClient,
  isFormerClient,
  listClientsOf,
  rememberFormerClient,
} from '../store/former-clients.ts';
import { findClientOf, type UserRow, updateUser } from '../store/users.ts';

/** The client of this id, if he is the actor's own. Foreign and absent are the same. */
export async function findOwnClient(
  ctx: Context,
  actor: Actor,
  clientId: string,
): Promise<UserRow | undefined> {
  if (!can(actor.roleId, 'manageClients') || clientId.includes('\u0000')) return undefined;
  return findClientOf(ctx.db, { adminId: actor.id, clientId });
}

/**
 * The client for whom an actor may act now, or nobody. One whom he looked after until lately is refused in words, which
 * tells him nothing that he did not know; his session stays.
 */
export async function findActedClient(
  ctx: Context,
  actor: Actor,
  clientId: string,
): Promise<{ id: string } | undefined> {
  const client = await findOwnClient(ctx, actor, clientId);
  if (client?.suspended_at)
    refuse('suspended', {
      message: 'This client is suspended. Nobody can act for him at the moment.',
    });
  if (
    !client &&
    !clientId.includes('\u0000') &&
    (await isFormerClient(ctx.db, { clientId, adminId: actor.id }))
  ) {
    refuse('no_longer_yours');
  }
  return client;
}

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
