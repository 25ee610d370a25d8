import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { jsonBytes, jsonValues, requestTimes } from '../config/limits.ts';
import { connectionBounds } from '../config/start-needs.ts';
import type { Context } from '../core/context.ts';
import { Refusal, refuse } from '../core/refusal.ts';
import { newId } from '../lib/ids.ts';
import { hasMoreValues, withoutTextMethods } from '../lib/json-values.ts';
import * as texts from '../texts/http.ts';
import { boundConnections, boundPipelining } from './connections/bounds.ts';
import { answerError } from './errors.ts';
import { securityHeaders } from './security-headers.ts';

const closeIdleMilliseconds = 100;

/** The server without routes: limits, headers, JSON parsing and the form of every refusal. */
export function createServer(ctx: Context, times = requestTimes): FastifyInstance {
  const { trustedProxies } = ctx.config.http;
  const headers = securityHeaders(ctx.config);
  const isProxy = proxyAddress.compile([...trustedProxies]);
  const app: FastifyInstance = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: () => newId(ctx.clock.now()),
    trustProxy: trustedProxies.length > 0 && isProxy,
    bodyLimit: jsonBytes,
    requestTimeout: times.upload,
    forceCloseConnections: 'idle',
    http: { requireHostHeader: false, connectionsCheckingInterval: times.headers },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => refuseMalformedHttp(error, socket, headers),
    // These errors run no hook.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers({ ...headers, 'x-request-id': request.id })),
  });
  app.server.headersTimeout = times.headers;
  boundConnections(app.server, {
    ...connectionBounds(ctx.config),
    isProxy: (address) => isProxy(address, 0),
  });
  boundPipelining(app.server);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
  // An answer that is not read would hold its connection, files and fair share forever.
  app.addHook('onSend', async ({ raw }) => void raw.socket.setTimeout(times.unread));
  refuseUnusualHttp(app, headers);
  nameUntrustedProxy(app, ctx.log, isProxy);
  listMethods(app);
  acceptJsonOnly(app);
  limitRequestTime(app, times.body);
  closeIdleWhileStopping(app);
  app.setErrorHandler(answerError);
  return app;
}

/**
 * All people behind a proxy that is not trusted share its limits, and only the log can say so. An
 * address from elsewhere may be a person's.
 */
function nameUntrustedProxy(
  app: FastifyInstance,
  log: Context['log'],
  isProxy: (address: string, hop: number) => boolean,
): void {
  const isNear = proxyAddress.compile(['loopback', 'linklocal', 'uniquelocal']);
  let isNamed = false;
  app.addHook('onRequest', async ({ headers, socket: { remoteAddress: address } }) => {
    if (isNamed || headers['x-forwarded-for'] === undefined || !address) return;
    if (isProxy(address, 0) || !isNear(address, 0)) return;
    isNamed = true;
    log.warn(
      { address },
      'X-Forwarded-For is ignored: TRUSTED_PROXIES does not have this address. All people behind it count as one network',
    );
  });
}

/** Node would answer these requests itself, without the usual headers. */
function refuseUnusualHttp(app: FastifyInstance, headers: Record<string, string>): void {
  app.server.on('checkExpectation', (_request, response) => response.writeHead(417, headers).end());
  app.addHook('onRequest', async ({ headers: { host }, raw }, reply) => {
    if (host === undefined && raw.httpVersion === '1.1')
      return reply.code(400).header('connection', 'close').send();
  });
}

/** Keys that would reach an object's prototype are dropped, as every unknown key is. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  // Many clients name the type of a form for a body that is empty.
  app.addHook('onRequest', async ({ headers }) => {
    const hasBody = 'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0';
    const isForm = headers['content-type']?.startsWith('multipart/');
    if (!hasBody && !isForm) delete headers['content-type'];
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, {});
    const text = body.toString();
    const refusal =
      unreadable(request, body as Buffer) ??
      (hasMoreValues(text, jsonValues) ? new Refusal('too_large', {}) : null);
    if (refusal) return done(refusal);
    parse(request, text, (error, json) => done(error, withoutTextMethods(json)));
  });
}

/** Decoding other bytes as UTF-8 would change a prompt without a word. */
function unreadable({ headers }: FastifyRequest, body: Buffer): Refusal | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return new Refusal('unsupported_media', { message: texts.sendJsonUncompressed });
  return isUtf8(body) ? null : new Refusal('invalid_json', { message: texts.sendAsUtf8 });
}

/** The server's own timeout is for slow uploads; other requests have less time. */
function limitRequestTime(app: FastifyInstance, milliseconds: number): void {
  const timers = new WeakMap<object, NodeJS.Timeout>();
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers['content-type']?.startsWith('multipart/')) return;
    const timer = setTimeout(() => request.raw.socket.destroy(), milliseconds);
    timers.set(request, timer);
    // Not `onResponse`, which is not called when the client has left.
    reply.raw.once('close', () => clearTimeout(timer));
  });
  app.addHook('preHandler', async (request) => clearTimeout(timers.get(request)));
}

/**
 * During a shutdown, connections that become idle would last until their keep-alive timeout. Node
 * does not count those that a browser opened in reserve as idle.
 */
function closeIdleWhileStopping(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
    }, closeIdleMilliseconds);
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

/**
 * Answers what no route matches: a page of the app, a file of a newer build, nothing, or a method
 * that a known path does not accept.
 */
export function answerUnknown(app: FastifyInstance, fileAt: (path: string) => string | null): void {
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const file = fileAt(path);
    const allowed = file === null ? app.methodsOf(path) : ['GET', 'HEAD'];
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      reply.header('allow', allowed.join(', '));
      refuse('method_not_allowed');
    }
    if (file !== null) return reply.sendFile(file);
    refuse('not_found', path.startsWith('/api/') ? { message: texts.noSuchCall } : {});
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that routes accept on a path. */
    methodsOf(path: string): string[];
  }
}

/** Notes every added route. Preflights are answered on all paths of the API, even unknown ones. */
function listMethods(app: FastifyInstance): void {
  const routes: { parts: string[]; method: string }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat())
      if (one !== 'OPTIONS') routes.push({ parts: url.split('/'), method: one });
  });
  app.decorate('methodsOf', (path) => {
    const given = path.split('/');
    const found = routes.filter(({ parts }) => isRouteOf(parts, given));
    return [...new Set(found.map(({ method }) => method))];
  });
}

function isRouteOf(parts: readonly string[], given: readonly string[]): boolean {
  return (
    parts.length === given.length &&
    parts.every((part, index) => part === given[index] || (/^[:*]/.test(part) && given[index]))
  );
}

const malformedStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Malformed or late HTTP gets a minimal answer with the usual headers, and its socket is closed. A
 * socket that sent nothing is closed without one. A browser may have opened it in reserve and be
 * sending a call just then: it would take the answer for its own, but repeats a call without one.
 */
function refuseMalformedHttp(
  error: { code?: string },
  socket: Socket,
  headers: Record<string, string>,
): void {
  const hasSentNothing = socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || hasSentNothing)
    return void socket.destroy();
  const status = malformedStatuses[error.code ?? ''] ?? '400 Bad Request';
  const fields = Object.entries({ ...headers, 'content-length': '0', connection: 'close' });
  const lines = [`HTTP/1.1 ${status}`, ...fields.map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
}
