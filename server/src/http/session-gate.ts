import { can, type Endpoint } from '@rowmill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonBytes } from '../config/limits.ts';
import { type Actor, authenticateActor, type Visitor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import { record } from '../core/events.ts';
import { refuse } from '../core/refusal.ts';
import { findActor } from '../domains/identity/sessions/sign-in.ts';
import { siteOf } from '../domains/requests/rate-limits.ts';
import { RequestRate } from '../domains/requests/request-rate.ts';

/**
 * Authenticates every call before its body is read, and checks whether the actor may make it. A 401
 * has no effect, because the browser sends the request again after it.
 */
export async function admit(
  ctx: Context,
  endpoint: Endpoint,
  { request, rate }: { request: FastifyRequest; rate: RequestRate },
): Promise<Visitor> {
  const token = tokenOf(request);
  const caller = await rate.admit({
    token,
    network: siteOfCaller(request),
    bytes: bodyBytes(request),
  });
  const { databaseWait: wait } = request;
  if (wait) wait.person = caller;
  const visitor = await findVisitor(ctx, request);
  if (wait && visitor.actor) wait.person = visitor.actor.id;
  if (token && visitor.actor) rate.remember(token, visitor.actor.id);
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

/** For streams that last for hours: refuses when the actor's rights have ended. */
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
  options: { isSeen: boolean },
): Promise<Actor | null> {
  const token = tokenOf(request);
  const found = token ? await findActor(ctx, token, options) : null;
  if (!found) return null;
  return authenticateActor({
    ...found,
    ip: networkOf(request.ip),
    siteUrl: siteUrlOf(ctx, request),
  });
}

/** Another site's origin has been refused. A call without an origin counts by its host. */
function siteUrlOf(ctx: Context, { headers, host }: FastifyRequest): string {
  const { origins, publicUrl } = ctx.config.http;
  return headers.origin ?? origins.find((origin) => new URL(origin).host === host) ?? publicUrl;
}

/** For routes of a scope that ask for no session. */
export function limitNetworks(scope: FastifyInstance): void {
  const rate = new RequestRate();
  scope.addHook('onRequest', async (request) => {
    await rate.admit({ network: siteOfCaller(request), bytes: bodyBytes(request) });
  });
}

/**
 * The size in `content-length`. The server refuses a larger body. A form is read in pieces and
 * counted as an upload.
 */
function bodyBytes({ method, headers }: FastifyRequest): number {
  if (method !== 'POST' || headers['content-type']?.startsWith('multipart/')) return 0;
  return Math.min(Number(headers['content-length'] ?? jsonBytes), jsonBytes);
}

function tokenOf({ headers }: FastifyRequest): string | undefined {
  // In the quotes of JSON, if someone sends the token as the browser stores it.
  return /^Bearer "?([\x21\x23-\x7e]{1,200})"?$/i.exec(headers.authorization ?? '')?.[1];
}

/** For callers without a session: one person may have all networks of an IPv6 /48. */
export function siteOfCaller({ ip }: FastifyRequest): string {
  return siteOf(networkOf(ip));
}

/** One network for rate limits: an IPv4 address or an IPv6 /64, which one subscriber gets. */
export function networkOf(ip: string): string {
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
