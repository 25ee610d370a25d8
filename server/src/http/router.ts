import { type Endpoint, type EndpointName, endpoints } from '@rowmill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ActingFor, Actor, Visitor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import type { FileAnswer, Routes, Upload } from '../core/handlers.ts';
import { invariant, refuse } from '../core/refusal.ts';
import {
  withIdempotencyKey,
  withIdempotencyKeyAroundExternalCall,
} from '../domains/requests/idempotency-keys.ts';
import { sendEvents } from './event-stream.ts';
import { parseRequest } from './parse-request.ts';
import { askedSubject, resolveSubject } from './resolve-subject.ts';
import { inScopeOfCall, inScopeOfGate } from './scope-of-call.ts';
import { sendFile } from './send-file.ts';
import { admit, admitAgain } from './session-gate.ts';
import { discardUpload, receiveUpload } from './uploads.ts';

type Answer = Record<string, unknown>;
type AnyHandler = (
  ctx: Context,
  by: unknown,
  request: unknown,
) => Promise<Answer | FileAnswer | AsyncIterable<object>>;

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null;
  }
}

/**
 * Makes the contract answer: for each call of the served hosts one route. The order is always the same: who asks, what is
 * asked, for whom, and then the use case. The type of the routes holds every call of the contract to have one.
 */
export function addContractRoutes(app: FastifyInstance, ctx: Context, routes: Routes): void {
  app.decorateRequest('visitor', null);
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    if (!ctx.config.serve.has(endpoint.host)) continue;
    addRoute(app, ctx, { endpoint, handler: routes[name] as AnyHandler });
  }
}

function addRoute(
  app: FastifyInstance,
  ctx: Context,
  route: { endpoint: Endpoint; handler: AnyHandler },
): void {
  const { endpoint, handler } = route;
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request) => {
      request.visitor = await admit(inScopeOfGate(contextOf(ctx, request)), endpoint, request);
    },
    handler: async (request, reply) => {
      if (endpoint.accepts === 'multipart')
        return answerUpload(contextOf(ctx, request), { request, reply, endpoint, handler });
      const parsed = parseRequest(endpoint, { ...bodyOf(request), ...(request.params as object) });
      return answer(contextOf(ctx, request), { request, reply, endpoint, handler, parsed });
    },
  });
}

/** The file waits at a temporary path while its call is answered; whatever happens, it is not left there. */
async function answerUpload(ctx: Context, call: Omit<Call, 'parsed'>) {
  const { endpoint, request } = call;
  const upload = await receiveUpload(ctx, request);
  try {
    const parsed = parseRequest(endpoint, upload.fields);
    return await answer(ctx, { ...call, parsed: { ...parsed, upload: upload.file } });
  } finally {
    await discardUpload(ctx, upload);
  }
}

interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
  endpoint: Endpoint;
  handler: AnyHandler;
  parsed: Record<string, unknown>;
}

async function answer(anonymousCtx: Context, call: Call): Promise<unknown> {
  const { endpoint, reply, handler, parsed } = call;
  const gate = inScopeOfGate(anonymousCtx);
  const by = await byWhom(gate, call);
  const ctx = inScopeOfCall(anonymousCtx, endpoint, by);
  if (endpoint.sends === 'file')
    return sendFile(reply, (await handler(ctx, by, parsed)) as FileAnswer);
  if (endpoint.sends === 'events') {
    const events = (await handler(ctx, by, parsed)) as AsyncIterable<object>;
    return sendEvents(reply, events, () => askAgain(gate, call));
  }
  const key = endpoint.idempotent ? call.request.headers['idempotency-key'] : undefined;
  if (typeof key !== 'string') return answerNow(ctx, call, by);
  const once = {
    userId: actorOf(call.request).id,
    key,
    call: endpoint.path,
    body: namesOf(parsed),
  };
  const answerKeyed =
    endpoint.idempotent === 'outside'
      ? withIdempotencyKeyAroundExternalCall
      : withIdempotencyKey<Context>;
  return answerKeyed(ctx, once, (inside) => answerNow(inside, call, by));
}

/** A file is known by its name and bytes; its temporary path is another each time. */
function namesOf({ upload, ...parsed }: Record<string, unknown>): unknown {
  if (!upload) return parsed;
  const { name, digest } = upload as Upload;
  return { ...parsed, upload: { name, digest } };
}

/** Only what the contract names leaves the house: the answer's schema drops everything else. */
async function answerNow(
  ctx: Context,
  { endpoint, handler, parsed }: Call,
  by: unknown,
): Promise<Answer> {
  const { message, ...result } = (await handler(ctx, by, parsed)) as Answer;
  const fields = endpoint.answer.parse({
    ...result,
    ...(message === undefined ? {} : { message }),
  }) as Answer;
  return { status: true, ...(message === undefined ? {} : { message }), ...fields };
}

async function byWhom(
  ctx: Context,
  { request, endpoint, parsed }: Call,
): Promise<Visitor | Actor | ActingFor> {
  if (endpoint.who === 'anyone') return visitorOf(request);
  const actor = actorOf(request);
  return endpoint.actAs === 'self'
    ? actor
    : resolveSubject(ctx, actor, askedSubject(endpoint.actAs, parsed));
}

/** Refuses when what was granted at first would not be granted now. */
async function askAgain(ctx: Context, { request, endpoint, parsed }: Call): Promise<void> {
  const actor = await admitAgain(ctx, endpoint, request);
  if (endpoint.actAs !== 'self')
    await resolveSubject(ctx, actor, askedSubject(endpoint.actAs, parsed));
}

function visitorOf({ visitor }: FastifyRequest): Visitor {
  invariant(visitor, 'every call has passed the door');
  return visitor;
}

function actorOf(request: FastifyRequest): Actor {
  invariant(request.visitor?.actor, 'a call that needs a person was let in with one');
  return request.visitor.actor;
}

/** A POST without a body is an empty request; anything that is not an object is left for the contract to refuse. */
function bodyOf(request: FastifyRequest): object {
  const { body, query } = request;
  if (request.method === 'GET') return query as object;
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    refuse('invalid_input', { fields: { request: 'Must be an object.' } });
  return body;
}

function contextOf(ctx: Context, request: FastifyRequest): Context {
  return { ...ctx, requestId: request.id, log: request.log as Context['log'] };
}
