import { actingForHeader } from '@rowmill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../core/context.ts';
import { refuse } from '../core/refusal.ts';

const allowedHeaders = `authorization, content-type, idempotency-key, ${actingForHeader}`;
const preflightSeconds = '600';
/** With a wrong PUBLIC_URL every call is refused, and only the log can say why. */
const mostNamed = 10;
const mostCharacters = 200;

/**
 * Refuses calls from pages of other sites: a browser hides the answer but not the effect. A request
 * without an origin does not come from such a page.
 */
export function guardOrigins(app: FastifyInstance, { config, log }: Context): void {
  const { origins, publicUrl } = config.http;
  const named = new Set<string>();
  const name = (origin: string) => {
    if (named.size === mostNamed || named.has(origin)) return;
    named.add(origin);
    const text = `calls of pages at this origin are refused: PUBLIC_URL is ${publicUrl}`;
    log.warn({ origin: origin.slice(0, mostCharacters) }, text);
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!isApi(request)) return;
    const { origin } = request.headers;
    reply.header('vary', 'origin');
    if (origin === undefined) return;
    if (!origins.includes(origin)) {
      name(origin);
      refuse('foreign_origin');
    }
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', 'content-disposition, retry-after');
  });
  app.options('/api/*', async (_request, reply) => preflight(reply));
}

function preflight(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-methods', 'POST, GET')
    .header('access-control-allow-headers', allowedHeaders)
    .header('access-control-max-age', preflightSeconds)
    .status(204)
    .send();
}

function isApi(request: FastifyRequest): boolean {
  return request.url.startsWith('/api/');
}
