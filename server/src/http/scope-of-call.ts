import { can, type Endpoint } from '@rowmill/contract';
import type { ActingFor, Actor, Visitor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import type { Scope } from '../db/scope.ts';

/**
 * Limits the database rows that a call can reach. A call without a signed-in person needs an email
 * address or a link, an operator's any account: both get the system scope.
 */
export function inScopeOfCall(
  ctx: Context,
  endpoint: Endpoint,
  by: Visitor | Actor | ActingFor,
): Context {
  return { ...ctx, db: ctx.scopedDb(scopeOfCall(endpoint, by)) };
}

/** Authentication itself runs before anyone is known, so it gets the system scope. */
export function inScopeOfGate(ctx: Context): Context {
  return { ...ctx, db: ctx.scopedDb('system') };
}

function scopeOfCall(endpoint: Endpoint, by: Visitor | Actor | ActingFor): Scope {
  if (endpoint.who === 'anyone') return 'system';
  if (endpoint.actAs !== 'self') {
    const { actor, subjectId } = by as ActingFor;
    return { subjectId, actorId: actor.id, withClients: false };
  }
  const { id, roleId } = by as Actor;
  // Calls about accounts, not work: an admin reaches their clients' accounts too.
  return can(roleId, 'viewInstallation')
    ? 'system'
    : { subjectId: id, actorId: id, withClients: can(roleId, 'manageClients') };
}
