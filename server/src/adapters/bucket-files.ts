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
import { unfinishedFiles } from './unfinished-files.ts';

export interface Bucket {
  bucket: string;
  /** Null: Amazon's own. */
  endpoint: string | null;
  region: string;
  /** Null: the rights that the machine has. */
  key: { id: string; secret: string } | null;
}

const chunkBytes = 1024 * 1024;
const patience = { connectionTimeout: 3_000, socketTimeout: 30_000 };
const pauses = { atMost: 3, floor: 100, ceiling: 2_000 };
const silence = { debug() {}, info() {}, warn() {}, error() {} };

/** Files in a bucket that several machines share. While they are made, they are files of this machine. */
export function bucketFiles(
  { bucket, ...place }: Bucket,
  directory: string,
): FileStore & AsyncDisposable {
  const client = clientFor(place);
  const unfinished = unfinishedFiles(directory);
  const where = (key: string) => ({ Bucket: bucket, Key: key });

  const get = async (key: string, Range?: string): Promise<Readable> => {
    const { Body } = await client.send(new GetObjectCommand({ ...where(key), Range }));
    return Body as Readable;
  };

  async function* list(Prefix?: string) {
    for (let ContinuationToken: string | undefined; ; ) {
      const asked = new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken });
      const { Contents = [], NextContinuationToken } = await reached(() => client.send(asked));
      for (const { Key = '', LastModified = new Date() } of Contents)
        yield { key: Key, changedAt: LastModified };
      if (!NextContinuationToken) return;
      ContinuationToken = NextContinuationToken;
    }
  }

  return {
    ...unfinished,
    chunkBytes,
    async store(path, key) {
      const { size: ContentLength } = await stat(path);
      await reached(async () => {
        const Body = createReadStream(path);
        await client
          .send(new PutObjectCommand({ ...where(key), Body, ContentLength }))
          .finally(() => Body.destroy());
      });
      await unfinished.discard(path);
    },
    open: (key) => reached(() => get(key)),
    async readRange(key, from, to) {
      const bytes = await reached(async () => buffer(await get(key, `bytes=${from}-${to - 1}`)));
      if (bytes.length < to - from) throw new Error('A kept file is shorter than its index says.');
      return bytes;
    },
    async fetch(key) {
      const path = unfinished.temporaryPath();
      await reached(async () => pipeline(await get(key), createWriteStream(path, { mode: 0o600 })));
      return { path, [Symbol.asyncDispose]: () => unfinished.discard(path) };
    },
    async remove(key) {
      for await (const found of list(key)) {
        const isMeant = found.key === key || found.key.startsWith(`${key}/`);
        if (isMeant) await reached(() => client.send(new DeleteObjectCommand(where(found.key))));
      }
    },
    async *unchangedSince(instant) {
      for await (const { key, changedAt } of list()) if (changedAt < instant) yield key;
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}

function clientFor({ endpoint, region, key }: Omit<Bucket, 'bucket'>): S3Client {
  return new S3Client({
    region,
    // Elsewhere than at Amazon, a bucket is rarely a host of its own, and additional checksums are not known.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(key ? { credentials: { accessKeyId: key.id, secretAccessKey: key.secret } } : {}),
    requestHandler: patience,
    // Its own tries leave out whatever is streamed, and it says so on the console.
    maxAttempts: 1,
    logger: silence,
  });
}

/** A store that cannot be reached, or has a fault of its own, is asked again, and then told as the network tells it. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (cause) {
      const status =
        cause instanceof S3ServiceException ? cause.$metadata.httpStatusCode : undefined;
      if (status !== undefined && status < 500) throw cause;
      if (attempt === pauses.atMost)
        throw Object.assign(new Error('The store of files does not answer.', { cause }), {
          code: 'ETIMEDOUT',
        });
      await wait(fullJitter(attempt, pauses));
    }
  }
}
