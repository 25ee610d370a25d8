import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

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

export interface ProviderServer extends AsyncDisposable {
  readonly url: string;
  /** Every call received, for tests to check what the product did. */
  readonly calls: readonly ReceivedCall[];
  /** The next calls take effect, but their connection is reset before the answer. */
  dropAnswers(count: number): void;
  /** Calls from now on take effect, but are answered only once the returned function is called. */
  holdAnswers(): () => void;
}

/** Serves a provider as one function from call to reply. */
export async function serveProvider(
  port: number,
  answer: (call: ReceivedCall, own: { url: string }) => Reply,
): Promise<ProviderServer> {
  const calls: ReceivedCall[] = [];
  let toDrop = 0;
  let mayAnswer = Promise.resolve();
  let url = '';
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
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
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    calls,
    dropAnswers: (count) => (toDrop = count),
    holdAnswers: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      mayAnswer = promise;
      return resolve;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Adds a webhook sender, which is stopped before the server. */
export function withSender<S extends Disposable>(
  server: ProviderServer,
  sender: S,
): ProviderServer & { sender: S } {
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
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  const { method = 'GET', headers } = request;
  return { method, path, query, headers, body: Buffer.concat(chunks).toString('utf8') };
}
