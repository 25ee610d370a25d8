import { can, type Endpoint } from '@rowmill/contract';
import type { FastifyRequest } from 'fastify';
import { type Actor, authenticateActor, type Visitor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import { record } from '../core/events.ts';
import { refuse } from '../core/refusal.ts';
import { findActor } from '../domains/identity/find-actor.ts';

/**
 * The one door: decides, before a body is read, who asks and whether he may call this at all. A 401 says that the token
 * opens nothing and has never had an effect, for the browser sends the request once more after it.
 */
export async function admit(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Visitor> {
  const visitor = await findVisitor(ctx, request);
  if (endpoint.who === 'anyone') return visitor;
  if (!visitor.actor) refuse('not_signed_in');
  admitActor(ctx, endpoint, visitor.actor);
  return visitor;
}

export async function findVisitor(ctx: Context, request: FastifyRequest): Promise<Visitor> {
  return {
    ip: networkOf(request.ip),
    device: request.headers['user-agent'] ?? '',
    actor: await authenticate(ctx, request, { isSeen: true }),
  };
}

/** For an answer that goes on for hours: who asked is asked anew, and refused when his rights were withdrawn meanwhile. */
export async function admitAgain(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Actor> {
  const actor = await authenticate(ctx, request, { isSeen: false });
  if (!actor) refuse('not_signed_in');
  admitActor(ctx, endpoint, actor);
  return actor;
}

function admitActor(ctx: Context, endpoint: Endpoint, actor: Actor): void {
  if (endpoint.who !== 'session' && !actor.isVerified) refuse('verify_email');
  if (endpoint.requires && !can(actor.roleId, endpoint.requires)) {
    record(ctx, 'access_refused', { user_id: actor.id, call: endpoint.path });
    refuse('not_allowed');
  }
}

async function authenticate(
  ctx: Context,
  request: FastifyRequest,
  look: { isSeen: boolean },
): Promise<Actor | null> {
  const [, token] =
    /^Bearer ([\x21-\x7e]{1,200})$/i.exec(request.headers.authorization ?? '') ?? [];
  const found = token ? await findActor(ctx, token, look) : null;
  return found ? authenticateActor({ ...found, ip: networkOf(request.ip) }) : null;
}

/** Whoever has one address of IPv6 has a whole /64 of them, so that is what counts as one. */
function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const groups = [
    ...front,
    ...Array.from({ length: 8 - front.length - back.length }, () => '0'),
    ...back,
  ];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
