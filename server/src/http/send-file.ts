import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FileAnswer } from '../core/handlers.ts';

/** The browser saves it and never opens it in the page. The name may hold any character, so it is encoded. */
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
