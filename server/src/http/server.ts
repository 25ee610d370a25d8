import type { Socket } from 'node:net';
import { endpoints } from '@rowmill/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Context } from '../core/context.ts';
import { refuse } from '../core/refusal.ts';
import { newId } from '../lib/ids.ts';
import { answerError } from './errors.ts';
import { guardOrigins } from './origins.ts';
import { securityHeaders } from './security-headers.ts';

/** A request of JSON is small; files travel as multipart with limits of their own. */
const jsonLimitBytes = 256 * 1024;
const headersTimeoutMilliseconds = 30_000;
const requestTimeoutMilliseconds = 120_000;
const sweepMilliseconds = 100;
/** A large file over a slow line. */
const uploadTimeoutMilliseconds = 15 * 60_000;

/** The bare server: limits, headers, the parsing of JSON and the shape of every refusal. Routes are added by others. */
export function createServer(ctx: Context): FastifyInstance {
  const { trustedProxies, origins } = ctx.config.http;
  const headers = securityHeaders(ctx.config);
  const app: FastifyInstance = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: () => newId(ctx.clock.now()),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: jsonLimitBytes,
    requestTimeout: uploadTimeoutMilliseconds,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => refuseGarbage(error, socket, headers),
    // These never reach a hook.
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, reply.headers(headers)),
  });
  app.server.headersTimeout = headersTimeoutMilliseconds;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
  guardOrigins(app, origins);
  acceptJsonOnly(app);
  hurryUp(app);
  logAnswers(app);
  closeIdleWhileStopping(app);
  app.setErrorHandler(answerError);
  return app;
}

/** Keys that would reach an object's prototype are dropped like every other unknown key. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, {});
    return parse(request, body as string, done);
  });
}

/** Everything but a file must have arrived sooner than the server itself insists. */
function hurryUp(app: FastifyInstance): void {
  const timers = new WeakMap<object, NodeJS.Timeout>();
  app.addHook('onRequest', async (request) => {
    if (request.headers['content-type']?.startsWith('multipart/')) return;
    timers.set(
      request,
      setTimeout(() => request.raw.socket.destroy(), requestTimeoutMilliseconds),
    );
  });
  const arrived = async (request: object) => clearTimeout(timers.get(request));
  app.addHook('preHandler', arrived);
  app.addHook('onResponse', arrived);
}

/** One line a request: the route as it is written, never the address, which may hold the token of a link. */
function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
      user_id: request.visitor?.actor?.id,
    });
  });
}

/**
 * A connection that was busy when the shutdown began is idle only afterwards; kept alive, it would hold the process for
 * longer than anybody waits.
 */
function closeIdleWhileStopping(app: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepMilliseconds);
  });
  app.addHook('onClose', async () => clearInterval(sweep));
}

/** What no route answers: a known call asked with another method, or nothing at all. */
export function answerUnknown(
  app: FastifyInstance,
  otherwise: (url: string) => string | null,
): void {
  const known = new Map<string, string>(
    Object.values(endpoints).map(({ path, method }) => [path, method]),
  );
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const method = known.get(path);
    if (method && method !== request.method) {
      reply.header('allow', method);
      refuse('method_not_allowed');
    }
    const page = request.method === 'GET' || request.method === 'HEAD' ? otherwise(path) : null;
    if (page === null) refuse('not_found');
    return reply.sendFile(page);
  });
}

/** Bytes that are no HTTP get a short answer with the usual headers, and the door is shut. */
function refuseGarbage(
  error: { code?: string },
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : '400 Bad Request';
  const lines = Object.entries({ ...headers, 'content-length': '0', connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}
`,
  );
  socket.end(`HTTP/1.1 ${status}
${lines.join('')}
`);
}
