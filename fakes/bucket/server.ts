import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../listen.ts';
import { isSigned } from './signature.ts';

interface StoredObject {
  bytes: Buffer;
  changedAt: Date;
}

export type FakeBucket = Awaited<ReturnType<typeof startFakeBucket>>;

/** Small, so that tests exercise paging. */
const keysPerPage = 3;

/** An S3 server with the bucket `sheets`, addressed by path. It refuses unsigned requests. */
export async function startFakeBucket(key: { id: string; secret: string }) {
  const objects = new Map<string, StoredObject>();
  /** By verb: `GET`, `PUT`, `DELETE` and `LIST`. */
  const requests = new Map<string, number>();
  const fake = {
    objects,
    requests,
    /** While true, every answer is 503. */
    isDown: false,
    /** While true, every answer is 403. */
    refusesKey: false,
    /** While true, it stores no file. */
    isFull: false,
    /** While true, files break off in the middle. */
    breaksOff: false,
    /** While true, files are listed and are absent when they are read. */
    losesFiles: false,
  };
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const bytes = await buffer(request);
    const url = new URL(request.url ?? '/', 'http://bucket');
    const [, name, ...rest] = decodeURIComponent(url.pathname).split('/');
    const path = rest.join('/');
    const verb = path === '' ? 'LIST' : (request.method ?? '');
    requests.set(verb, (requests.get(verb) ?? 0) + 1);
    if (fake.isDown) return fail(response, 503, 'SlowDown');
    if (fake.refusesKey) return fail(response, 403, 'AccessDenied');
    if (!isSigned(request, url, { bytes, key }))
      return fail(response, 403, 'SignatureDoesNotMatch');
    if (name !== 'sheets') return fail(response, 404, 'NoSuchBucket');
    if (verb === 'LIST') return list(response, objects, url.searchParams);
    if (verb === 'PUT' && fake.isFull) return fail(response, 403, 'QuotaExceeded');
    if (verb === 'PUT') objects.set(path, { bytes, changedAt: new Date() });
    if (verb === 'DELETE') objects.delete(path);
    if (verb !== 'GET') return void response.writeHead(verb === 'PUT' ? 200 : 204).end();
    const found = objects.get(path);
    if (!found || fake.losesFiles) return fail(response, 404, 'NoSuchKey');
    if (fake.breaksOff) return breakOff(response, found.bytes);
    send(request, response, found.bytes);
  });
  const { url, close } = await listen(server);
  return Object.assign(fake, { url, [Symbol.asyncDispose]: close });
}

function breakOff(response: ServerResponse, bytes: Buffer): void {
  const half = bytes.subarray(0, bytes.length / 2);
  response.writeHead(200, { 'content-length': bytes.length }).write(half, () => response.destroy());
}

function send(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  if (!range) return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
  if (from > to) return void fail(response, 416, 'InvalidRange');
  const headers = {
    'content-range': `bytes ${from}-${to}/${bytes.length}`,
    'content-length': to - from + 1,
  };
  response.writeHead(206, headers).end(bytes.subarray(from, to + 1));
}

function list(
  response: ServerResponse,
  objects: ReadonlyMap<string, StoredObject>,
  query: URLSearchParams,
): void {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const left = [...objects.keys()]
    .filter((path) => path.startsWith(prefix) && path > after)
    .toSorted();
  const page = left.slice(0, keysPerPage);
  const isTruncated = left.length > page.length;
  const contents = page.map(
    (path) =>
      `<Contents><Key>${path}</Key><LastModified>${objects.get(path)?.changedAt.toISOString()}</LastModified></Contents>`,
  );
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const body = `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}`;
  answer(
    response,
    200,
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${body}</ListBucketResult>`,
  );
}

function fail(response: ServerResponse, status: number, code: string): void {
  answer(response, status, `<Error><Code>${code}</Code><Message>${code} (fake).</Message></Error>`);
}

function answer(response: ServerResponse, status: number, xml: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
}
