import type { FastifyReply } from 'fastify';

/** A comment now and then, so that nothing in between takes the line for dead. */
const heartbeatMilliseconds = 15_000;

const open = new Set<() => void>();

/** Sends each value as an event, for as long as the other side listens and may: `check` refuses when it may no more. */
export function sendEvents(
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
    open.delete(end);
    raw.end();
    void iterator.return?.();
  };
  open.add(end);
  raw.once('close', end);
  void pump(iterator, (event) => raw.write(`data: ${JSON.stringify(event)}\n\n`)).then(
    end,
    (error) => {
      reply.request.log.error({ err: error }, 'a stream of events has ended');
      end();
    },
  );
  return reply;
}

/** At a shutdown: a stream that stays open would keep the server from closing. */
export function endEventStreams(): void {
  for (const end of open) end();
}

async function pump(iterator: AsyncIterator<object>, send: (event: object) => void): Promise<void> {
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) return;
    send(value);
  }
}
