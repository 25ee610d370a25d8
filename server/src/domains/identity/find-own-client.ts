import { can } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { findClientOf, type UserRow } from './store/users.ts';

/** The client of this id, if he is the actor's own. Foreign and absent are the same. */
export async function findOwnClient(
  ctx: Context,
  actor: Actor,
  clientId: string,
): Promise<UserRow | undefined> {
  if (!can(actor.roleId, 'manageClients') || clientId.includes('\u0000')) return undefined;
  return findClientOf(ctx.db, { adminId: actor.id, clientId });
}
