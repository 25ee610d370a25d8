import { can, type Endpoint } from '@rowmill/contract';
import type { ActingFor, Actor, Visitor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import type { Scope } from '../db/scope.ts';

/**
 * The one place that says whose rows a call may reach, once it is known who asks and for whom. What anybody may call is
 * about an address or a link that nobody is signed in with yet, and what an operator calls about everybody: that is the
 * server's own work.
 */
export function inScopeOfCall(
  ctx: Context,
  endpoint: Endpoint,
  by: Visitor | Actor | ActingFor,
): Context {
  return { ...ctx, db: ctx.scopedDb(scopeOfCall(endpoint, by)) };
}

/** To ask who asks, nobody can be known yet. */
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
  // An account, not work: an admin's includes those of his clients.
  return can(roleId, 'viewInstallation')
    ? 'system'
    : { subjectId: id, actorId: id, withClients: can(roleId, 'manageClients') };
}
