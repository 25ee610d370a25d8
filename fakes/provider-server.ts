import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

export interface ReceivedCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Reply {
  status: number;
  /** Objects are sent as JSON, text as HTML. */
  body?: object | string;
  headers?: Record<string, string>;
}

export type ProviderServer = Awaited<ReturnType<typeof serveProvider>>;

/** Serves a provider as one function from call to reply. */
export async function serveProvider(
  port: number,
  answer: (call: ReceivedCall, own: { url: string }) => Reply,
) {
  /** Every call received, for tests to check what the product did. */
  const calls: ReceivedCall[] = [];
  let toDrop = 0;
  let mayAnswer = Promise.resolve();
  let url = '';
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const call = await read(request);
    calls.push(call);
    const { status, body = {}, headers = {} } = answer(call, { url });
    await mayAnswer;
    if (toDrop > 0) {
      toDrop--;
      return void response.socket?.resetAndDestroy();
    }
    const isPage = typeof body === 'string';
    const type = isPage ? 'text/html; charset=utf-8' : 'application/json';
    response
      .writeHead(status, { 'content-type': type, ...headers })
      .end(isPage ? body : JSON.stringify(body));
  };
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    // The demo has it in its own process, which no call may end.
    serve(request, response).catch((error: Error) =>
      response.writeHead(500).end(JSON.stringify({ error: { message: error.message } })),
    );
  });
  const opened = await listen(server, port);
  url = opened.url;
  return {
    url,
    calls,
    /** The next calls take effect, but their connection is reset before the answer. */
    dropAnswers: (count: number) => {
      toDrop = count;
    },
    /** Calls from now on take effect, but are answered once the returned function is called. */
    holdAnswers: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      mayAnswer = promise;
      return resolve;
    },
    [Symbol.asyncDispose]: opened.close,
  };
}

/** Adds a webhook sender, which is stopped before the server. */
export function withSender<S extends Disposable>(server: ProviderServer, sender: S) {
  return {
    ...server,
    sender,
    async [Symbol.asyncDispose]() {
      sender[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function read(request: IncomingMessage): Promise<ReceivedCall> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  const { method = 'GET', headers } = request;
  return { method, path, query, headers, body: await text(request) };
}
