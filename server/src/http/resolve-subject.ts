import type { ActAs } from '@rowmill/contract';
import { type ActingFor, type Actor, authoriseActingFor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import { record } from '../core/events.ts';
import { refuse } from '../core/refusal.ts';
import { findActedClient } from '../domains/identity/find-acted-client.ts';

/**
 * The one place where a request to act for somebody else is granted: to an admin, over a client of his own. Who is not
 * his and who does not exist get the same answer.
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

/** Of whatever stands in the request, only an id is read: a role or an address that comes along proves nothing. */
export function askedSubject(actAs: ActAs, request: Record<string, unknown>): unknown {
  const named = actAs === 'self' ? undefined : idIn(request[actAs]);
  return named ?? idIn(request.switchedAs);
}

function idIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { user_id?: unknown }).user_id
    : value;
}
