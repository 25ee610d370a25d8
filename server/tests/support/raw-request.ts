import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { endpoints, type RefusalBody } from '@rowmill/contract';
import { assertAnswerDescribed } from './openapi.ts';
import type { TestServer } from './test-server.ts';

type Bytes = string | Uint8Array;

interface RawAnswer {
  status: number;
  body: RefusalBody & Record<string, unknown>;
  /** Bytes sent before the answer arrived. */
  sent: number;
}

export const boundary = 'a-boundary';

/** A part of a form: a field, or a file if `file` names it. */
export function part(
  name: string,
  content: Bytes,
  { file, headers = [] }: { file?: string; headers?: string[] } = {},
): Buffer {
  const named = file === undefined ? '' : `; filename="${file}"`;
  const lines = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${named}`,
    ...headers,
    '',
    '',
  ];
  return Buffer.concat([
    Buffer.from(lines.join('\r\n')),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

export const ending = Buffer.from(`--${boundary}--\r\n`);

export function sheetPart(csv: Bytes, file = 'sheet.csv'): Buffer {
  return part('file', csv, { file, headers: ['Content-Type: text/csv'] });
}

/** A connection for requests that no client would send. `answer` is what was received so far. */
export function openSocket(server: TestServer): { socket: Socket; answer: () => string } {
  const { hostname, port } = new URL(server.app.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  socket.on('error', () => {});
  return { socket, answer: () => answer };
}

interface RawUpload {
  token: string;
  headers?: Record<string, string>;
  /** Sent piece by piece until it ends or the answer arrives. */
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The content length. Without it the body is chunked. */
  length?: number;
  /** Closes the socket after the body, without waiting for an answer. */
  hangsUp?: boolean;
}

/** Uploads through a bare socket, so that the request can be malformed. */
export async function sendRaw(
  server: TestServer,
  { token, headers = {}, body, length, hangsUp = false }: RawUpload,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(server.app.url);
  const socket = connect(Number(port), hostname);
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
    if (isComplete(text)) resolve(text);
  });
  socket.on('error', () => {});
  socket.on('close', () => resolve(text));
  const type = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    authorization: `Bearer ${token}`,
  };
  const framing =
    length === undefined
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': String(length) };
  const lines = Object.entries({ host: 'x', ...type, ...framing, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${endpoints.saveFile.path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let sent = 0;
  for await (const piece of body) {
    if (text || socket.destroyed) break;
    const flushed = length === undefined ? writeChunk(socket, piece) : socket.write(piece);
    sent += piece.length;
    // The server runs on the same thread and needs turns.
    if (!flushed)
      await Promise.race([new Promise((drained) => socket.once('drain', drained)), answer]);
    else await wait(0);
  }
  if (hangsUp) socket.destroy();
  else if (length === undefined && !text) socket.write('0\r\n\r\n');
  const [head = '', json = ''] = (await answer).split('\r\n\r\n');
  socket.destroy();
  const status = Number(head.split(' ')[1] ?? 0);
  const parsed = json ? JSON.parse(json) : {};
  if (json)
    assertAnswerDescribed(endpoints.saveFile, { status, type: 'application/json', body: parsed });
  return { status, body: parsed, sent };
}

function writeChunk(socket: ReturnType<typeof connect>, piece: Uint8Array): boolean {
  socket.write(`${piece.length.toString(16)}\r\n`);
  socket.write(piece);
  return socket.write('\r\n');
}

function isComplete(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n');
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return body !== undefined && Buffer.byteLength(body) >= length;
}
