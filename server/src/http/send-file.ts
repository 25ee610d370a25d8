import type { FastifyReply } from 'fastify';
import type { FileAnswer } from '../core/handlers.ts';

/** The browser saves it and never opens it in the page. The name may hold any character, so it is encoded. */
export function sendFile(reply: FastifyReply, { name, type, content }: FileAnswer): FastifyReply {
  const plain = name.replace(/[^\w.-]+/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
    .send(content);
}
