import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../core/refusal.ts';

/** The pages of a fake payment provider that a buyer sees. */
const buyerPages = ['pay', 'challenge', 'checkoutnow', 'style.css'];

/**
 * In the demo the fake providers have pages under our own address, `/dev/stripe/…` and
 * `/dev/paypal/…`: the content policy allows no other host.
 */
export function addTestPages(
  app: FastifyInstance,
  providers: Readonly<Record<string, string>>,
): void {
  if (Object.keys(providers).length === 0) return;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.route<{ Params: { provider: string; page: string } }>({
      method: ['GET', 'POST'],
      url: '/dev/:provider/:page',
      handler: async (request, reply) => {
        const { provider, page } = request.params;
        const base = providers[provider];
        if (!base || !buyerPages.includes(page)) refuse('not_found');
        return proxyTo(`${base}/${page}${new URL(request.url, base).search}`, { request, reply });
      },
    });
  });
}

async function proxyTo(
  address: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { method, headers, body } = request;
  const answer = await fetch(address, {
    method,
    headers: {
      'content-type': headers['content-type'] ?? 'text/plain',
      'x-forwarded-host': request.host,
    },
    redirect: 'manual',
    ...(Buffer.isBuffer(body) ? { body: new Uint8Array(body) } : {}),
  });
  for (const name of ['content-type', 'location']) {
    const value = answer.headers.get(name);
    if (value) reply.header(name, value);
  }
  return reply
    .header('cache-control', 'no-store')
    .status(answer.status)
    .send(Buffer.from(await answer.arrayBuffer()));
}
