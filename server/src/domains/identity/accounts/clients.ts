import { can } from '@rowmill/contract';
import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { refuse } from '../../../core/refusal.ts';
import { refused } from '../../../texts/identity.ts';
import { writeAuditEntries } from '../../audit/entries.ts';
import {
  deleteFormerClients,
  isFormerClient,
  lockClientsOf,
  setAdminOf,
  upsertFormerClients,
} from '../store/former-clients.ts';
import { findClientOf, lockClientOf, type UserRow } from '../store/users.ts';

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
  if (from !== adminId)
    await move(ctx, actor, { clientIds: [client.id], from, to: adminId, reason });
}

/** Leaves all clients of an admin without one; each finds the reason in their activity. */
export async function releaseClients(
  ctx: Context,
  actor: Pick<Actor, 'id'>,
  { adminId, reason }: { adminId: string; reason: string },
) {
  const clientIds = await lockClientsOf(ctx.db, adminId);
  if (clientIds.length === 0) return;
  await move(ctx, actor, { clientIds, from: adminId, to: null, reason });
  for (const user_id of clientIds)
    record(ctx, 'client_moved', { user_id, actor_id: actor.id, from: adminId, to: null });
}

interface Move {
  clientIds: readonly string[];
  from: string | null;
  to: string | null;
  reason: string;
}

/** In the same few statements for any number: all others wait on the embedded database. */
async function move(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
  actor: Pick<Actor, 'id'>,
  { clientIds, from, to, reason }: Move,
): Promise<void> {
  await setAdminOf(ctx.db, clientIds, to);
  if (from) await upsertFormerClients(ctx.db, { clientIds, adminId: from, now: ctx.clock.now() });
  if (to) await deleteFormerClients(ctx.db, { clientIds, adminId: to });
  const subjects = { actor, subjectIds: clientIds };
  await writeAuditEntries(ctx, subjects, 'client_moved', { from, to, reason });
}
