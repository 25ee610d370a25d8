import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { listen } from '../listen.ts';
import { failure, readRequest, tokensOf } from './answers.ts';
import { type Behaviour, defaultBehaviour, reset, StatusChooser } from './behaviour.ts';
import { type Call, CallLog } from './call-log.ts';
import { type FaultCall, perform } from './faults.ts';
import type { Wire } from './wire/wire.ts';
import { hasKey, translated, wireOf } from './wire/wires.ts';

export interface FakeChatOptions extends Partial<Behaviour> {
  port?: number;
  seed?: number;
  /** A file to which a line is written for every call. */
  log?: string | null;
  /** Calls with another key are answered with 401. */
  key?: string | null;
  /** The names that it lists. */
  models?: readonly string[];
}

export type FakeChat = Awaited<ReturnType<typeof startFakeChat>>;

interface Fake {
  statuses: StatusChooser;
  log: CallLog;
  key: string | null;
  models: readonly string[];
  held: (() => void)[];
}

/** A provider of the OpenAI-compatible chat protocol, with latency, limits and faults. */
export async function startFakeChat(options: FakeChatOptions = {}) {
  const {
    port = 0,
    seed = 1,
    log: file = null,
    key = null,
    models = ['fake-small', 'fake-large'],
    ...behaviour
  } = options;
  const log = new CallLog(file);
  const statuses = new StatusChooser({ ...defaultBehaviour }, seed);
  const held: Fake['held'] = [];
  statuses.change(behaviour);
  // Idle connections stay open, so that no call uses one that is just being closed.
  const server = createServer(
    { keepAliveTimeout: 600_000, requestTimeout: 0 },
    route({ statuses, log, key, held, models }),
  );
  const { url, close: closeServer } = await listen(server, port);
  const close = async () => {
    await closeServer();
    log.close();
  };
  return {
    /** The base URL, ending in `/v1`. */
    url: `${url}/v1`,
    calls: log.calls,
    get inFlight() {
      return log.inFlight;
    },
    get mostInFlight() {
      return log.mostInFlight;
    },
    behave: (changes: Partial<Behaviour>) => statuses.change(changes),
    /** Answers the calls with `[[held]]` in their prompt, or only the oldest ones. */
    releaseHeld: (count = held.length) => {
      for (const act of held.splice(0, count)) act();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function route(fake: Fake): RequestListener {
  const { statuses, log, models } = fake;
  const pages: Readonly<Record<string, (body: string) => unknown>> = {
    'GET /log': () => log.calls,
    'GET /state': () => ({
      inFlight: log.inFlight,
      mostInFlight: log.mostInFlight,
      calls: log.calls.length,
      ...statuses.behaviour,
    }),
    'POST /behave': (body) => {
      statuses.change(JSON.parse(body));
      return statuses.behaviour;
    },
    'GET /v1/models': () => ({
      object: 'list',
      data: models.map((id) => ({ id, object: 'model' })),
    }),
    'GET /anthropic/v1/models?limit=1000': () => ({
      data: models.map((id) => ({ type: 'model', id, display_name: id })),
      has_more: false,
    }),
    'GET /v1beta/models?pageSize=1000': () => ({
      models: [
        ...models.map((id) => ({
          name: `models/${id}`,
          supportedGenerationMethods: ['generateContent', 'countTokens'],
        })),
        { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
      ],
    }),
  };
  return (request, response) => {
    const endpoint = `${request.method} ${request.url}`;
    const page = pages[endpoint];
    const wire = wireOf(request.method ?? '', request.url ?? '');
    readBody(request, (body) => {
      try {
        if (wire) takeCall(fake, { request, response, body, wire });
        else if (page && request.url?.includes('/models') && !hasKey(request.headers, fake.key))
          send(response, 401, failure(401));
        else if (page) send(response, 200, JSON.stringify(page(body)));
        else send(response, 404, failure(404));
      } catch (error) {
        send(
          response,
          400,
          JSON.stringify({
            error: { message: String(error), type: 'invalid_request_error', code: null },
          }),
        );
      }
    });
  };
}

interface ChatCall {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
  wire: Wire;
}

function takeCall(fake: Fake, { request, response, body, wire }: ChatCall): void {
  const { headers, url: path = '' } = request;
  const promptRequest = readRequest(wire.request(JSON.parse(body), { path, headers }));
  const call = fake.log.begin(promptRequest.prompt, promptRequest.options);
  response.on('close', () => fake.log.end(call));
  const { responseFormat } = fake.statuses.behaviour;
  const isIgnored = promptRequest.hasSchema && responseFormat === 'ignored';
  const understood = isIgnored ? { ...promptRequest, columns: {} } : promptRequest;
  const key = wire.key(headers);
  const faultCall = faultCallOf(fake, response, { call, key, request: understood, wire });
  const isKnown = fake.key === null || key === fake.key;
  if (fake.statuses.behaviour.down) faultCall.reset();
  else if (isKnown) answer(fake, faultCall, call.at);
  else faultCall.answer(401, failure(401));
}

function answer({ statuses, log }: Fake, call: FaultCall, now: number): void {
  if (call.request.options.service_tier === 'flex' && !statuses.hasFlex()) {
    call.answer(429, failure(429, 'resource_unavailable'));
    return;
  }
  const { tokens, output } = tokensOf(call.request);
  const { inFlight } = log;
  const { model } = call.request;
  const { status, waitSeconds } = statuses.replyTo({ now, model, tokens, output, inFlight });
  const { latency, retryAfter, retryAfterAs, responseFormat } = statuses.behaviour;
  const isRefused = call.request.hasSchema && responseFormat === 'refused';
  const wait = retryAfter ?? waitSeconds ?? null;
  const headers = wait === null ? {} : retryHeaders(wait, retryAfterAs);
  const act = () => {
    if (status === 200 && isRefused) call.answer(400, failure(400, 'unsupported_response_format'));
    else if (status === 200) perform(call);
    else if (status === reset) call.reset();
    else call.answer(status, failure(status), headers);
  };
  // Providers refuse at once and answer late.
  if (latency > 0 && waitSeconds === undefined && !(status === 429 && retryAfter !== null))
    call.after(latency, act);
  else act();
}

function retryHeaders(
  wait: string | number,
  as: 'seconds' | 'milliseconds' | 'date',
): Record<string, string> {
  const seconds = Number(wait);
  if (as === 'milliseconds') return { 'retry-after-ms': String(Math.ceil(seconds * 1_000)) };
  if (as === 'seconds')
    return { 'retry-after': Number.isNaN(seconds) ? String(wait) : String(Math.ceil(seconds)) };
  const at = Math.ceil(Date.now() / 1_000 + seconds) * 1_000;
  return { 'retry-after': new Date(at).toUTCString() };
}

const compressors: Readonly<Record<string, (body: string | Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

function compressed(body: string | Buffer, encoding = ''): string | Buffer {
  return compressors[encoding]?.(body) ?? body;
}

function faultCallOf(
  { held, statuses }: Fake,
  response: ServerResponse,
  { call, key, request, wire }: { call: Call; wire: Wire } & Pick<FaultCall, 'key' | 'request'>,
): FaultCall {
  return {
    key,
    request,
    answers: statuses.behaviour.answers,
    answer(status, body, headers, change) {
      call.status = status;
      if (status === 200) call.tokens = tokensIn(body);
      const stated = status === 200 ? statuses.statedLimits(request.model) : {};
      const limits = wire.limitHeaders?.(stated, Date.now()) ?? stated;
      const own = wire.namesTimeInBody ? {} : { ...limits, ...headers };
      const text = translated(wire, { status, body, hasSchema: request.hasSchema });
      const changed = change ? JSON.stringify(change(JSON.parse(`${text}`))) : text;
      send(response, status, compressed(changed, headers?.['content-encoding']), own);
    },
    begin() {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    },
    write: (piece) => response.write(piece),
    raw: (bytes) => response.socket?.write(bytes),
    reset: () => response.socket?.resetAndDestroy(),
    after(milliseconds, act) {
      setTimeout(() => response.closed || act(), milliseconds).unref();
    },
    hold: (act) => held.push(() => response.closed || act()),
  };
}

/** What an answer says it used, at its end. */
function tokensIn(body: string | Buffer): number {
  const [, total = 0] = /"total_tokens":(\d+)/.exec(body.toString().slice(-250)) ?? [];
  return Number(total);
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers?: Record<string, string>,
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** With events, because async iteration over a request takes more CPU than the rest of the call. */
function readBody(request: IncomingMessage, then: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => then(body));
}
