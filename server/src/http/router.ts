import { type Endpoint, type EndpointName, endpoints } from '@rowmill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ActingFor, Actor, Visitor } from '../core/authority.ts';
import type { Context } from '../core/context.ts';
import type { FileAnswer, Routes, Upload } from '../core/handlers.ts';
import { invariant } from '../core/refusal.ts';
import { RequestWait } from '../db/connection-turns.ts';
import { FairShares, shareOf } from '../domains/requests/fair-shares.ts';
import {
  keyOf,
  withIdempotencyKey,
  withIdempotencyKeyAroundExternalCall,
} from '../domains/requests/idempotency-keys.ts';
import { consumeRateLimit, rateLimits } from '../domains/requests/rate-limits.ts';
import { RequestRate } from '../domains/requests/request-rate.ts';
import { EventStreams } from './event-stream.ts';
import { parseRequest } from './parse-request.ts';
import { contextOf } from './request-context.ts';
import { fieldsInQuery, fieldsOf, withClient } from './request-fields.ts';
import { resolveSubject } from './resolve-subject.ts';
import { inScopeOfCall, inScopeOfGate } from './scope-of-call.ts';
import { sendFile, sendJson } from './send-answer.ts';
import { admit, admitAgain } from './session-gate.ts';
import { receiveUpload } from './uploads.ts';

type Answer = Record<string, unknown>;
type AnyHandler = (
  ctx: Context,
  by: unknown,
  request: unknown,
) => Promise<Answer | FileAnswer | AsyncIterable<object>>;

/** A call that begins later than this after it was admitted is admitted again. */
const admissionMilliseconds = 1_000;

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null;
    admittedAt: number;
    databaseWait: RequestWait | undefined;
  }
}

/**
 * One route for each call of the served hosts. The order is always the same: authenticate, parse,
 * resolve the subject, run the use case. `Routes` has a handler for every call of the contract, or
 * it does not compile.
 */
export function addContractRoutes(app: FastifyInstance, ctx: Context, routes: Routes): void {
  app.decorateRequest('visitor', null);
  app.decorateRequest('admittedAt', 0);
  app.decorateRequest('databaseWait', undefined);
  const streams = new EventStreams();
  const shares = new FairShares();
  const rate = new RequestRate();
  app.addHook('preClose', async () => streams.endAll());
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    if (!ctx.config.serve.has(endpoint.host)) continue;
    addRoute(app, ctx, {
      name,
      endpoint,
      handler: routes[name] as AnyHandler,
      streams,
      shares,
      rate,
    });
  }
}

interface Route {
  name: EndpointName;
  endpoint: Endpoint;
  handler: AnyHandler;
  streams: EventStreams;
  shares: FairShares;
  rate: RequestRate;
}

function addRoute(app: FastifyInstance, ctx: Context, route: Route): void {
  const { endpoint, rate } = route;
  app.route({
    method: endpoint.method,
    // A stream has no end to wait for.
    exposeHeadRoute: endpoint.sends !== 'events',
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request) => {
      request.databaseWait = new RequestWait();
      const wait = request.databaseWait;
      const requestCtx = contextOf(ctx, request, { scope: 'anonymous', wait });
      request.admittedAt = performance.now();
      request.visitor = await admit(inScopeOfGate(requestCtx), endpoint, { request, rate });
    },
    handler: async (request, reply) => {
      const wait = endpoint.sends
        ? new RequestWait({ isStream: true, person: request.visitor?.actor?.id })
        : request.databaseWait;
      const requestCtx = contextOf(ctx, request, { scope: 'anonymous', wait });
      const call = { ...route, request, reply };
      if (endpoint.accepts === 'multipart')
        return inTurn(requestCtx, { ...call, parsed: {} }, (ctx) => answerUpload(ctx, call));
      const caller = request.databaseWait?.person ?? '';
      const parsed = rate.charged(caller, () =>
        parseRequest(endpoint, fieldsOf(endpoint, request)),
      );
      return inTurn(requestCtx, { ...call, parsed }, (ctx) => answer(ctx, { ...call, parsed }));
    },
  });
}

/**
 * Waits for the person's turn and ends it when the last byte of the answer is sent, the client
 * has gone or the server stops. Slow readers would fill the memory with large answers otherwise.
 */
async function inTurn<T>(ctx: Context, call: Call, work: (ctx: Context) => Promise<T>): Promise<T> {
  const { name, endpoint, shares, rate, request, reply, parsed } = call;
  const share = shareOf(name, parsed);
  const person = request.visitor?.actor?.id;
  if (!share || !person) return work(ctx);
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  // The client may have left while the caller was authenticated: then there is no further event.
  if (reply.raw.destroyed) closed.abort();
  const { signal } = closed;
  const endTurn = await shares.take(ctx, { share, person, signal }).catch((error) => {
    if (!signal.aborted) rate.countRefusal(person);
    throw error;
  });
  let isSending = false;
  try {
    const answer = await work({ ...ctx, signal: closed.signal });
    isSending = (endpoint.sends !== undefined || answer === reply) && !closed.signal.aborted;
    if (isSending) closed.signal.addEventListener('abort', endTurn);
    return answer;
  } finally {
    if (!isSending) endTurn();
  }
}

/** The file is at a temporary path during the call, and deleted however the call ends. */
async function answerUpload(ctx: Context, call: Omit<Call, 'parsed'>) {
  const { endpoint, request } = call;
  fieldsInQuery(endpoint, request.query as Record<string, unknown>);
  // Counted before a byte of it is stored.
  await consumeRateLimit(ctx, rateLimits.uploadPerPerson, actorOf(request).id);
  const upload = await receiveUpload(ctx, request);
  try {
    const parsed = parseRequest(endpoint, withClient(endpoint, request, upload.fields));
    return await answer(ctx, { ...call, parsed: { ...parsed, upload: upload.file } });
  } finally {
    await ctx.files.discard(upload.file.path);
  }
}

interface Call extends Route {
  request: FastifyRequest;
  reply: FastifyReply;
  parsed: Record<string, unknown>;
}

async function answer(anonymousCtx: Context, call: Call): Promise<unknown> {
  const { name, endpoint, reply, handler, parsed, streams } = call;
  const gate = inScopeOfGate(anonymousCtx);
  await renewAdmission(gate, call);
  const by = await resolveCaller(gate, call);
  const ctx = inScopeOfCall(anonymousCtx, endpoint, by);
  if (endpoint.sends === 'file')
    return sendFile(reply, (await handler(ctx, by, parsed)) as FileAnswer);
  if (endpoint.sends === 'events') {
    const events = (await handler(ctx, by, parsed)) as AsyncIterable<object>;
    return streams.send(reply, events, () => checkAgain(gate, call));
  }
  const key = keyOf(name, parsed, call.request.headers['idempotency-key']);
  if (key === null) return sendJson(reply, await runHandler(ctx, call, by));
  const keyed = {
    userId: actorOf(call.request).id,
    subjectId: 'subjectId' in by ? by.subjectId : actorOf(call.request).id,
    key,
    call: endpoint.path,
    body: comparableBody(parsed),
  };
  const answerWithKey =
    endpoint.idempotent === 'outside'
      ? withIdempotencyKeyAroundExternalCall
      : withIdempotencyKey<Context>;
  return answerWithKey(ctx, keyed, (inside) => runHandler(inside, call, by));
}

/** Files are compared by name, content and metadata: the temporary path differs each time. */
function comparableBody({ upload, ...parsed }: Record<string, unknown>): unknown {
  if (!upload) return parsed;
  const { name, digest, metadata } = upload as Upload;
  return { ...parsed, upload: { name, digest, metadata } };
}

/** The answer's schema drops every field that the contract does not name. */
async function runHandler(
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

async function resolveCaller(
  ctx: Context,
  { request, endpoint, parsed }: Call,
): Promise<Visitor | Actor | ActingFor> {
  if (endpoint.who === 'anyone') return visitorOf(request);
  const actor = actorOf(request);
  return endpoint.actAs === 'self'
    ? actor
    : resolveSubject(ctx, actor, { endpoint, request: parsed });
}

/** Body and turn may take minutes. What ended the person's access meanwhile must count. */
async function renewAdmission(ctx: Context, { request, endpoint }: Call): Promise<void> {
  const age = performance.now() - request.admittedAt;
  if (endpoint.who === 'anyone' || age < admissionMilliseconds) return;
  request.visitor = {
    ...visitorOf(request),
    actor: await admitAgain(ctx, endpoint, request),
  };
}

/** Refuses when the session, the role or the client relation no longer allows the call. */
async function checkAgain(ctx: Context, { request, endpoint, parsed }: Call): Promise<void> {
  const actor = await admitAgain(ctx, endpoint, request);
  if (endpoint.actAs !== 'self') await resolveSubject(ctx, actor, { endpoint, request: parsed });
}

function visitorOf({ visitor }: FastifyRequest): Visitor {
  invariant(visitor, 'every call is authenticated first');
  return visitor;
}

function actorOf(request: FastifyRequest): Actor {
  invariant(request.visitor?.actor, 'a call that needs an actor was admitted with one');
  return request.visitor.actor;
}
