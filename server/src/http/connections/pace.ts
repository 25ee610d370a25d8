import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { filePace } from '../../config/limits.ts';
import { siteOfCaller } from '../session-gate.ts';

/** Networks in memory. Above this all are forgotten and start again. */
const mostRemembered = 100_000;

/** How long each request of a network waits, so that it gets no more than its pace. */
export class NetworkPace {
  /** When all requests so far are earned. */
  readonly #earned = new Map<string, number>();
  readonly #bounds: Record<keyof typeof filePace, number>;

  constructor(bounds: Record<keyof typeof filePace, number> = filePace) {
    this.#bounds = bounds;
  }

  milliseconds(network: string, now: number): number {
    const { perSecond, atOnce, longestWaitSeconds } = this.#bounds;
    if (this.#earned.size >= mostRemembered) this.#earned.clear();
    const earliest = now - (1_000 * atOnce) / perSecond;
    const next = Math.max(earliest, this.#earned.get(network) ?? earliest) + 1_000 / perSecond;
    const earned = Math.min(next, now + 1_000 * longestWaitSeconds);
    this.#earned.set(network, earned);
    return Math.max(0, earned - now);
  }
}

/**
 * Files, pages and unknown addresses wait for their turn. A refusal would break a page, and all of
 * an office may open the site at once. 500 connections that asked for nothing else held up each
 * call of others for 0.2 to 3 s. The session gate counts the calls themselves.
 */
export function paceNetworks(
  app: FastifyInstance,
  { http }: { http: Pick<Config['http'], 'origins'> },
  pace = new NetworkPace(),
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isCall(request, http.origins)) return;
    // Checks of the proxy that all requests come from do not wait behind those.
    const isHealth = request.url.startsWith('/health') && !request.is404;
    const network = `${isHealth ? 'health ' : ''}${siteOfCaller(request)}`;
    const milliseconds = pace.milliseconds(network, performance.now());
    if (milliseconds === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      // So that no more wait than there are connections.
      reply.raw.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  });
}

function isCall({ url, method, headers, is404 }: FastifyRequest, origins: readonly string[]) {
  const { origin } = headers;
  const isOwnOrigin = origin === undefined || origins.includes(origin);
  return url.startsWith('/api/') && !is404 && method !== 'OPTIONS' && isOwnOrigin;
}
