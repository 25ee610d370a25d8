import { once } from 'node:events';
import type { FastifyReply } from 'fastify';

/** A comment this often keeps proxies from closing an idle stream. */
const heartbeatMilliseconds = 15_000;

/** The open event streams of one server, which ends them when it stops. */
export class EventStreams {
  readonly #open = new Set<() => void>();

  /** Sends each value as an event until the client disconnects or a heartbeat's `check` refuses. */
  send(
    reply: FastifyReply,
    events: AsyncIterable<object>,
    check: () => Promise<void>,
  ): FastifyReply {
    const iterator = events[Symbol.asyncIterator]();
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    raw.write(': here\n\n');
    const heartbeat = setInterval(() => {
      raw.write(': here\n\n');
      check().catch(end);
    }, heartbeatMilliseconds);
    const end = () => {
      clearInterval(heartbeat);
      this.#open.delete(end);
      raw.end();
      void iterator.return?.();
    };
    this.#open.add(end);
    raw.once('close', end);
    if (raw.destroyed) end();
    const whenRead = async () => {
      const waiting = new AbortController();
      await Promise.race(['drain', 'close'].map((event) => once(raw, event, waiting)));
      waiting.abort();
    };
    const pump = async () => {
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return;
        // A slow reader gets fewer events instead of filling the memory.
        if (!raw.write(`data: ${JSON.stringify(value)}\n\n`)) await whenRead();
      }
    };
    void pump().then(end, (error) => {
      reply.request.log.error({ err: error }, 'an event stream failed');
      end();
    });
    return reply;
  }

  /** An open stream would keep the server from closing. */
  endAll(): void {
    for (const end of this.#open) end();
  }
}
