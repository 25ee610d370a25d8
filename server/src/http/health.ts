import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { isLoopback } from '../config/config.ts';
import type { Context } from '../core/context.ts';
import { refuse } from '../core/refusal.ts';
import { isReachable } from '../db/connect.ts';
import { hashSecret } from '../lib/ids.ts';
import { programVersion } from '../version.ts';

interface Parts {
  isStopping: () => boolean;
  /** A newer version has migrated the database. */
  isOutdated: () => boolean;
  registry: Registry;
  /** Reads what is only known at a scrape. */
  measure: () => Promise<void>;
}

/** For load balancers and monitoring: whether the process lives and is ready, and its metrics. */
export function addHealth(
  app: FastifyInstance,
  ctx: Context,
  { isStopping, isOutdated, registry, measure }: Parts,
): void {
  app.get('/health', async () => ({ status: true, version: programVersion }));
  app.get('/health/live', async () => ({ status: true }));
  app.get('/health/ready', async (_request, reply) => {
    if (isOutdated())
      return reply.status(503).send({
        status: false,
        message: 'A newer version has migrated the database. Stop this process.',
      });
    const isReady = !isStopping() && (await isReachable(ctx.db));
    return reply.status(isReady ? 200 : 503).send({ status: isReady });
  });
  app.get('/metrics', async (request, reply) => {
    const { metricsToken } = ctx.config.http;
    // A proxy on this machine connects from a loopback address too.
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    const isAllowed = metricsToken
      ? isSame(request.headers.authorization, `Bearer ${metricsToken}`)
      : isLoopback(request.ip) && !isForwarded;
    if (!isAllowed) refuse('not_found');
    await measure();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Compares hashes, so that the time taken does not reveal how much of the token was right. */
function isSame(given: string | undefined, expected: string): boolean {
  return hashSecret(given ?? '') === hashSecret(expected);
}
