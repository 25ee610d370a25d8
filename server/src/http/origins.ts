import { actingForHeader } from '@rowmill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../core/refusal.ts';

const allowedHeaders = `authorization, content-type, idempotency-key, ${actingForHeader}`;
const preflightSeconds = '600';

/**
 * Refuses calls from pages of other sites: a browser hides the answer but not the effect. A request
 * without an origin does not come from such a page.
 */
export function guardOrigins(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isApi(request)) return;
    const { origin } = request.headers;
    reply.header('vary', 'origin');
    if (origin === undefined) return;
    if (!origins.includes(origin)) refuse('foreign_origin');
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
