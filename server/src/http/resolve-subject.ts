import type { ActAs } from '@rowmill/contract';
import { type ActingFor, type Actor, authoriseActingFor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import { record } from '../core/events.ts';
import { refuse } from '../core/refusal.ts';
import { findActedClient } from '../domains/identity/accounts/clients.ts';

/**
 * Decides for whom a call runs: the actor, or a client of theirs. A client of someone else gets the same answer as one
 * that does not exist.
 */
export async function resolveSubject(
  ctx: Context,
  actor: Actor,
  asked: unknown,
): Promise<ActingFor> {
  if (asked === undefined || asked === null || asked === '' || asked === actor.id)
    return authoriseActingFor({ actor, subjectId: actor.id });
  const client = typeof asked === 'string' ? await findActedClient(ctx, actor, asked) : undefined;
  if (!client) {
    record(ctx, 'access_refused', { user_id: actor.id, call: 'act-as' });
    refuse('not_found');
  }
  return authoriseActingFor({ actor, subjectId: client.id });
}

/** Reads only an id from the request; a role or an address in it proves nothing. */
export function askedSubject(actAs: ActAs, request: Record<string, unknown>): unknown {
  const named = actAs === 'self' ? undefined : idIn(request[actAs]);
  return named ?? idIn(request.switchedAs);
}

function idIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { user_id?: unknown }).user_id
    : value;
}
