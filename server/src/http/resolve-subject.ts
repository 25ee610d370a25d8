import { can, type Endpoint } from '@rowmill/contract';
import { type ActingFor, type Actor, authoriseActingFor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import { record } from '../core/events.ts';
import { refuse } from '../core/refusal.ts';
import { findOwner } from '../db/owners.ts';
import { findActedClient } from '../domains/identity/accounts/clients.ts';

interface Asked {
  endpoint: Endpoint;
  request: Record<string, unknown>;
}

/**
 * Decides for whom a call runs: the actor, or a client of theirs. Someone else's client gets the
 * same answer as one that does not exist.
 */
export async function resolveSubject(ctx: Context, actor: Actor, asked: Asked): Promise<ActingFor> {
  const named = namedSubject(asked);
  const isNamed = named !== undefined && named !== null && named !== '';
  if (!isNamed) return authoriseActingFor({ actor, subjectId: await ownerIn(ctx, actor, asked) });
  if (named === actor.id) return authoriseActingFor({ actor, subjectId: actor.id });
  const client = typeof named === 'string' ? await findActedClient(ctx, actor, named) : undefined;
  if (!client) {
    record(ctx, 'access_refused', { user_id: actor.id, call: 'act-as' });
    refuse('not_found');
  }
  return authoriseActingFor({ actor, subjectId: client.id });
}

/**
 * A call runs for the owner of the id: the actor or a client of theirs. For any other id the actor
 * is the subject, for whom it does not exist.
 */
async function ownerIn(ctx: Context, actor: Actor, { endpoint, request }: Asked): Promise<string> {
  if (!endpoint.names || !can(actor.roleId, 'manageClients')) return actor.id;
  const { field, a } = endpoint.names;
  const owner = await findOwner(ctx.db, { a, id: String(request[field]) });
  if (owner === undefined || owner === actor.id) return actor.id;
  return (await findActedClient(ctx, actor, owner))?.id ?? actor.id;
}

/** Reads only an id from the request; a role or an address in it proves nothing. */
function namedSubject({ endpoint: { actAs }, request }: Asked): unknown {
  const named = actAs === 'self' ? undefined : idIn(request[actAs]);
  return named ?? idIn(request.switchedAs) ?? buyerIn(request);
}

/** For whom the specification buys: the customer of the cart, the user of a plan or a profile. */
function buyerIn({ customer, user_id, profile }: Asked['request']): unknown {
  return idIn(customer) ?? user_id ?? (profile as { user_id?: unknown } | undefined)?.user_id;
}

/** The id of a record of the stored client, or of a client of the list. */
function idIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { user_id, id } = value as { user_id?: unknown; id?: unknown };
  return user_id ?? id;
}
