import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FileAnswer } from '../core/handlers.ts';
import { pauseEvery, yieldMilliseconds } from '../lib/event-loop.ts';

/** The browser saves it and never opens it. The name may hold any character, so it is encoded. */
export function sendFile(reply: FastifyReply, { name, type, content }: FileAnswer): FastifyReply {
  const plain = name.replace(/[^\w.-]+/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  // Fastify would read all of it for the headers, after the turn of the download has ended.
  const isForHeaders = reply.request.method === 'HEAD' && content instanceof Readable;
  if (isForHeaders) content.destroy();
  return reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
    .send(isForHeaders ? Readable.from([]) : content);
}

/** Larger answers are sent piece by piece. */
const atOnceBytes = 64 * 1024;

export async function sendJson(
  reply: FastifyReply,
  answer: Readonly<Record<string, unknown>>,
): Promise<FastifyReply> {
  const parts = await jsonInParts(answer);
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-length', bytes)
    .send(bytes <= atOnceBytes ? Buffer.concat(parts) : Readable.from(parts));
}

/**
 * The JSON of an answer. The elements of its lists are written one by one, because rows can be
 * long. A page of them, written at once, held up all other requests for a quarter of a second.
 */
export async function jsonInParts(answer: Readonly<Record<string, unknown>>): Promise<Buffer[]> {
  const pause = pauseEvery(yieldMilliseconds);
  const parts: Buffer[] = [];
  for (const part of partsOf(answer)) {
    parts.push(Buffer.from(part));
    const turn = pause();
    if (turn) await turn;
  }
  return parts;
}

function* partsOf(answer: Readonly<Record<string, unknown>>): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    const start = `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!Array.isArray(value) || value.length === 0) {
      yield start + JSON.stringify(value);
      continue;
    }
    for (const [index, element] of value.entries())
      yield `${index === 0 ? `${start}[` : ','}${JSON.stringify(element) ?? 'null'}`;
    yield ']';
  }
  yield before === '{' ? '{}' : '}';
}
