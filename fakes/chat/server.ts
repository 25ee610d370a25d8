import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { failure, readQuestion } from './answers.ts';
import { type Behaviour, cut, Mood, wellBehaved } from './behaviour.ts';
import { type Call, CallLog } from './call-log.ts';
import { perform, type Stage } from './faults.ts';

export interface FakeChatOptions extends Partial<Behaviour> {
  port?: number;
  seed?: number;
  /** A file that gets a line for every call. */
  log?: string | null;
  /** Calls with another key are answered with 401. */
  key?: string | null;
}

export interface FakeChat extends AsyncDisposable {
  /** The base URL, ending in `/v1`. */
  readonly url: string;
  readonly calls: readonly Call[];
  readonly inFlight: number;
  readonly mostInFlight: number;
  behave(wishes: Partial<Behaviour>): void;
  /** Answers the calls that were `[[held]]` until now. */
  letGo(): void;
  close(): Promise<void>;
}

interface Fake {
  mood: Mood;
  log: CallLog;
  key: string | null;
  held: (() => void)[];
}

/** A provider of the OpenAI-compatible chat protocol, with latency, limits and faults. */
export async function startFakeChat(options: FakeChatOptions = {}): Promise<FakeChat> {
  const { port = 0, seed = 1, log: file = null, key = null, ...wishes } = options;
  const log = new CallLog(file);
  const mood = new Mood({ ...wellBehaved }, seed);
  const held: Fake['held'] = [];
  mood.change(wishes);
  // Idle connections stay open, so that no call meets one that is just being closed.
  const server = createServer(
    { keepAliveTimeout: 600_000, requestTimeout: 0 },
    route({ mood, log, key, held }),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    log.close();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls: log.calls,
    get inFlight() {
      return log.inFlight;
    },
    get mostInFlight() {
      return log.mostInFlight;
    },
    behave: (change) => mood.change(change),
    letGo: () => {
      for (const act of held.splice(0)) act();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function route(fake: Fake): RequestListener {
  const { mood, log } = fake;
  const pages: Readonly<Record<string, (body: string) => unknown>> = {
    'GET /log': () => log.calls,
    'GET /state': () => ({
      inFlight: log.inFlight,
      mostInFlight: log.mostInFlight,
      calls: log.calls.length,
      ...mood.behaviour,
    }),
    'POST /behave': (body) => {
      mood.change(JSON.parse(body));
      return mood.behaviour;
    },
    'GET /v1/models': () => ({
      object: 'list',
      data: ['fake-small', 'fake-large'].map((id) => ({ id, object: 'model' })),
    }),
  };
  return (request, response) => {
    const at = `${request.method} ${request.url}`;
    const page = pages[at];
    readBody(request, (body) => {
      try {
        if (at === 'POST /v1/chat/completions') takeCall(fake, { request, response, body });
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

interface Arrival {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
}

function takeCall(fake: Fake, { request, response, body }: Arrival): void {
  const question = readQuestion(body);
  const call = fake.log.begin(question.prompt);
  response.on('close', () => fake.log.end(call));
  const stage = stageFor(fake, response, { call, question });
  const isKnown = fake.key === null || request.headers.authorization === `Bearer ${fake.key}`;
  if (fake.mood.behaviour.down) stage.reset();
  else if (isKnown) answer(fake.mood, stage, call.at);
  else stage.answer(401, failure(401));
}

function answer(mood: Mood, stage: Stage, now: number): void {
  const status = mood.statusOf(now);
  const { latency, retryAfter } = mood.behaviour;
  const headers: Record<string, string> =
    retryAfter === null ? {} : { 'retry-after': String(retryAfter) };
  const act = () => {
    if (status === 200) perform(stage);
    else if (status === cut) stage.reset();
    else stage.answer(status, failure(status), headers);
  };
  if (latency > 0) stage.after(latency, act);
  else act();
}

function stageFor(
  { held }: Fake,
  response: ServerResponse,
  { call, question }: { call: Call } & Pick<Stage, 'question'>,
): Stage {
  return {
    question,
    answer(status, body, headers) {
      call.status = status;
      send(response, status, body, headers);
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

/** By hand, because iterating over a request costs more than all the rest of a call. */
function readBody(request: IncomingMessage, then: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => then(body));
}
