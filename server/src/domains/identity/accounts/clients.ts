import { can } from '@rowmill/contract';
import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { refuse } from '../../../core/refusal.ts';
import { refused } from '../../../texts/identity.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import {
  deleteFormerClient,
  deleteLimits,
  isFormerClient,
  listClientsOf,
  upsertFormerClient,
} from '../store/former-clients.ts';
import { findClientOf, lockClientOf, type UserRow, updateUser } from '../store/users.ts';

/** The actor's own client. Someone else's is answered like one that does not exist. */
export async function findOwnClient(
  ctx: Context,
  actor: Actor,
  clientId: string,
): Promise<UserRow | undefined> {
  // PostgreSQL refuses text with a NUL character.
  if (!can(actor.roleId, 'manageClients') || clientId.includes('\u0000')) return undefined;
  return findClientOf(ctx.db, { adminId: actor.id, clientId });
}

/** Lets a move to another admin wait until the transaction ends. */
export async function lockOwnClient(
  ctx: Context,
  actor: Actor,
  clientId: string,
): Promise<UserRow | undefined> {
  const client = await findOwnClient(ctx, actor, clientId);
  return client && lockClientOf(ctx.db, { adminId: actor.id, clientId });
}

/** The client an actor may act for now. Only a former admin learns that the client has left. */
export async function findActedClient(ctx: Context, actor: Actor, clientId: string) {
  const client = await findOwnClient(ctx, actor, clientId);
  if (client?.suspended_at) refuse('suspended', { message: refused.suspended.client });
  if (client || clientId.includes('\u0000')) return client;
  if (await isFormerClient(ctx.db, { clientId, adminId: actor.id })) refuse('no_longer_yours');
  return undefined;
}

interface Reassignment {
  client: UserRow;
  adminId: string | null;
  reason: string;
}

export async function reassignClient(
  ctx: Context,
  actor: Pick<Actor, 'id'>,
  { client, adminId, reason }: Reassignment,
): Promise<void> {
  const from = client.admin_id;
  await setAdmin(ctx, actor, { client, adminId, reason });
  if (from !== adminId)
    record(ctx, 'client_moved', { user_id: client.id, actor_id: actor.id, from, to: adminId });
}

/** Needs a transaction. Records the former admin, whose next call says why it is refused. */
export async function setAdmin(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
  actor: Pick<Actor, 'id'>,
  { client, adminId, reason }: Reassignment,
): Promise<void> {
  const from = client.admin_id;
  if (from === adminId) return;
  await updateUser(ctx.db, client.id, { admin_id: adminId });
  await deleteLimits(ctx.db, client.id);
  if (from)
    await upsertFormerClient(ctx.db, {
      clientId: client.id,
      adminId: from,
      now: ctx.clock.now(),
    });
  if (adminId) await deleteFormerClient(ctx.db, { clientId: client.id, adminId });
  await writeAuditEntry(ctx, { actor, subjectId: client.id }, 'client_moved', {
    from,
    to: adminId,
    reason,
  });
}

/** Leaves all clients of an admin without one; each finds the reason in their activity. */
export async function releaseClients(
  ctx: Context,
  actor: Pick<Actor, 'id'>,
  { adminId, reason }: { adminId: string; reason: string },
) {
  for (const client of await listClientsOf(ctx.db, adminId)) {
    await reassignClient(ctx, actor, { client, adminId: null, reason });
  }
}
