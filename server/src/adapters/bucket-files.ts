import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { FileStore } from '../domains/files/port.ts';
import { fullJitter } from '../lib/backoff.ts';
import { orUndo } from '../lib/failed-work.ts';
import { Misconfigured, ServiceUnavailable } from '../lib/unavailable.ts';
import { temporaryFiles } from './disk-files.ts';

export interface Bucket {
  bucket: string;
  /** Null: Amazon's own. */
  endpoint: string | null;
  region: string;
  /** Null: the machine's own credentials. */
  key: { id: string; secret: string } | null;
}

const chunkBytes = 1024 * 1024;
const timeouts = { connectionTimeout: 3_000, socketTimeout: 30_000 };
const checkMilliseconds = 3_000;
const retries = { atMost: 3, floor: 100, ceiling: 2_000 };
const noLog = { debug() {}, info() {}, warn() {}, error() {} };

/** Files in a bucket that several machines share. Temporary files are on this machine. */
export function bucketFiles(
  { bucket, ...place }: Bucket,
  directory: string,
): FileStore & AsyncDisposable {
  const client = clientFor(place);
  const temporary = temporaryFiles(directory);
  const address = (key: string) => ({ Bucket: bucket, Key: key });

  const get = async (key: string, Range?: string): Promise<Readable> => {
    const { Body } = await client.send(new GetObjectCommand({ ...address(key), Range }));
    return Body as Readable;
  };

  async function* list(Prefix?: string) {
    for (let ContinuationToken: string | undefined; ; ) {
      const page = new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken });
      const { Contents = [], NextContinuationToken } = await withRetries(() => client.send(page));
      for (const { Key = '', LastModified = new Date() } of Contents)
        yield { key: Key, changedAt: LastModified };
      if (!NextContinuationToken) return;
      ContinuationToken = NextContinuationToken;
    }
  }

  return {
    ...temporary,
    chunkBytes,
    async store(path, key) {
      const { size: ContentLength } = await stat(path);
      await withRetries(async () => {
        const unreadable = new AbortController();
        const Body = createReadStream(path);
        // The library listens to no error of the stream, which would end the process.
        Body.once('error', (error) => unreadable.abort(error));
        const put = new PutObjectCommand({ ...address(key), Body, ContentLength });
        await client.send(put, { abortSignal: unreadable.signal }).finally(() => Body.destroy());
      });
      await temporary.discard(path);
    },
    open: (key) => withRetries(() => get(key)),
    async readRange(key, from, to) {
      const bytes = await withRetries(async () =>
        buffer(await get(key, `bytes=${from}-${to - 1}`)),
      );
      if (bytes.length < to - from)
        throw new Error('A stored file is shorter than its index says.');
      return bytes;
    },
    async fetch(key) {
      const path = temporary.temporaryPath();
      const discard = () => temporary.discard(path);
      const write = async () => pipeline(await get(key), createWriteStream(path, { mode: 0o600 }));
      await orUndo(withRetries(write), discard);
      return { path, [Symbol.asyncDispose]: discard };
    },
    async remove(key) {
      for await (const found of list(key)) {
        const isInFolder = found.key === key || found.key.startsWith(`${key}/`);
        if (isInFolder)
          await withRetries(() => client.send(new DeleteObjectCommand(address(found.key))));
      }
    },
    async *unchangedSince(instant) {
      for await (const { key, changedAt } of list()) if (changedAt < instant) yield key;
    },
    async check() {
      const page = new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 });
      const abortSignal = AbortSignal.timeout(checkMilliseconds);
      await withRetries(() => client.send(page, { abortSignal }), 0);
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}

function clientFor({ endpoint, region, key }: Omit<Bucket, 'bucket'>): S3Client {
  return new S3Client({
    region,
    // Other stores rarely give a bucket its own host name or support additional checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(key ? { credentials: { accessKeyId: key.id, secretAccessKey: key.secret } } : {}),
    requestHandler: timeouts,
    // The library's own retries skip streamed bodies and warn on the console.
    maxAttempts: 1,
    logger: noLog,
  });
}

/** Retries network failures and 5xx answers. */
async function withRetries<T>(send: () => Promise<T>, atMost = retries.atMost): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (cause) {
      const isAnswer = cause instanceof S3ServiceException;
      const status = isAnswer ? cause.$metadata.httpStatusCode : undefined;
      if (isAnswer && cause.name === 'NoSuchKey') throw Object.assign(cause, { code: 'ENOENT' });
      if (isAnswer && status !== undefined && status < 500)
        throw isAboutSettings(cause.name, status) ? misconfigured(cause) : cause;
      if (attempt === atMost)
        throw new ServiceUnavailable('The file store does not answer.', { cause });
      await wait(fullJitter(attempt, retries));
    }
  }
}

/** A wrong key, region, bucket or clock. Other refusals are about one file. */
function isAboutSettings(name: string, status: number): boolean {
  return [301, 400, 401, 403].includes(status) || name === 'NoSuchBucket';
}

function misconfigured(cause: S3ServiceException): Misconfigured {
  return new Misconfigured(
    `The file store refuses us: ${cause.name}. Check FILES_BUCKET, FILES_ENDPOINT, FILES_REGION and the key.`,
    { cause },
  );
}
