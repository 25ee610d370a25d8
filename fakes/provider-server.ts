import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Reply {
  status: number;
  /** An object travels as JSON, text as a page. */
  body?: object | string;
  headers?: Record<string, string>;
}

export interface ProviderServer extends AsyncDisposable {
  readonly url: string;
  /** Every call that has arrived, the truth about what the other side did. */
  readonly calls: readonly Asked[];
  /** So many of the next calls have their effect, but the answer is lost on the way. */
  dropAnswers(count: number): void;
  /** What is asked from now on has its effect, but is answered only when what this gives back is called. */
  holdAnswers(): () => void;
}

/** A provider as a small HTTP server: one function from question to answer. */
export async function serveProvider(
  port: number,
  answer: (asked: Asked, own: { url: string }) => Reply,
): Promise<ProviderServer> {
  const calls: Asked[] = [];
  let toDrop = 0;
  let mayAnswer = Promise.resolve();
  let url = '';
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const asked = await read(request);
    calls.push(asked);
    const { status, body = {}, headers = {} } = answer(asked, { url });
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

/** A provider that also sends events stops them first. */
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

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  const { method = 'GET', headers } = request;
  return { method, path, query, headers, body: Buffer.concat(chunks).toString('utf8') };
}
