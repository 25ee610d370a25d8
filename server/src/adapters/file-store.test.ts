import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeBucket, startFakeBucket } from '../../../fakes/bucket/server.ts';
import type { FileStore } from '../domains/files/port.ts';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import { bucketFiles } from './bucket-files.ts';
import { diskFiles } from './disk-files.ts';

const directory = mkdtempSync(join(tmpdir(), 'rowmill-files-'));
const key = { id: 'rowmill', secret: 'a secret of the tests' };
let bucket: FakeBucket;
beforeAll(async () => {
  bucket = await startFakeBucket(key);
});
afterAll(async () => {
  await bucket[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

const openBucket = (other: Partial<typeof key> = {}) => {
  const place = {
    bucket: 'sheets',
    endpoint: bucket.url,
    region: 'us-east-1',
    key: { ...key, ...other },
  };
  return bucketFiles(place, join(directory, 'of-the-bucket'));
};

async function store(files: FileStore, name: string, content: string): Promise<string> {
  const path = files.temporaryPath();
  writeFileSync(path, content);
  await files.store(path, name);
  return path;
}

async function list(files: FileStore, instant: Date): Promise<string[]> {
  const keys: string[] = [];
  for await (const found of files.unchangedSince(instant)) keys.push(found);
  return keys.toSorted();
}

const later = () => new Date(Date.now() + 60_000);

describe.each<[string, () => FileStore]>([
  ['the data directory', () => diskFiles(join(directory, 'on-disk'))],
  ['a bucket', openBucket],
])('files in %s', (_name, open) => {
  let files: FileStore;
  beforeAll(() => {
    files = open();
  });

  it('are stored under a key and are no longer temporary', async () => {
    const path = await store(files, 'one/original', 'Zoë,日本\n');
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    expect(await text(await files.open('one/original'))).toBe('Zoë,日本\n');
    await store(files, 'one/original', 'written again');
    expect(await text(await files.open('one/original'))).toBe('written again');
  });

  it('can be read in ranges', async () => {
    await store(files, 'two/rows', '0123456789');
    expect((await files.readRange('two/rows', 3, 6)).toString()).toBe('345');
    expect((await files.readRange('two/rows', 0, 10)).toString()).toBe('0123456789');
    await expect(files.readRange('two/rows', 8, 12)).rejects.toThrow('shorter than its index');
  });

  it('can be fetched as local files', async () => {
    await store(files, 'three/original', 'a,b\n');
    const read = async () => {
      await using copy = await files.fetch('three/original');
      return await readFile(copy.path, 'utf8');
    };
    expect([await read(), await read()]).toEqual(['a,b\n', 'a,b\n']);
  });

  it('are removed by key or as a whole folder, and no others are', async () => {
    for (const name of [
      'four/original',
      'four/rows-1',
      'four/rows-2',
      'four/rows-3',
      'four/rows-4',
      'four-and-more/original',
    ])
      await store(files, name, name);
    await files.remove('four/rows-1');
    await expect(files.open('four/rows-1')).rejects.toThrow();
    await files.remove('four');
    await files.remove('nothing');
    const left = (await list(files, later())).filter((name) => name.startsWith('four'));
    expect(left).toEqual(['four-and-more/original']);
  });

  it('are listed when they have not changed since a time', async () => {
    await store(files, 'five/original', 'five');
    expect(await list(files, later())).toContain('five/original');
    expect(await list(files, new Date(0))).toEqual([]);
  });

  it('fail when opened if they are missing', async () => {
    const fetch = async () => {
      await using copy = await files.fetch('nowhere/original');
      return await readFile(copy.path);
    };
    const absent = { code: 'ENOENT' };
    await expect(files.open('nowhere/original')).rejects.toMatchObject(absent);
    await expect(files.readRange('nowhere/rows', 0, 1)).rejects.toMatchObject(absent);
    await expect(fetch()).rejects.toMatchObject(absent);
  });

  it('that are temporary and old are deleted by a sweep', async () => {
    const path = files.temporaryPath();
    writeFileSync(path, 'half of i');
    await files.sweep(new Date(0));
    expect(await readFile(path, 'utf8')).toBe('half of i');
    await files.sweep(later());
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });
});

describe('a bucket', () => {
  it('that does not answer fails as unavailable and loses nothing', async () => {
    const files = openBucket();
    const path = files.temporaryPath();
    writeFileSync(path, 'waits');
    bucket.isDown = true;
    const unavailable = { message: 'The file store does not answer.', name: 'ServiceUnavailable' };
    await expect(files.store(path, 'six/original')).rejects.toMatchObject(unavailable);
    await expect(files.readRange('one/original', 0, 1)).rejects.toMatchObject(unavailable);
    bucket.isDown = false;
    await files.store(path, 'six/original');
    expect(await text(await files.open('six/original'))).toBe('waits');
  });

  it('stores nothing that is signed with another key', async () => {
    const message = 'The file store refuses us: SignatureDoesNotMatch. Check FILES_BUCKET';
    const files = openBucket({ secret: 'another' });
    for (const act of [() => store(files, 'seven/original', 'x'), () => list(files, later())])
      await expect(act()).rejects.toMatchObject({
        name: 'Misconfigured',
        message: expect.stringContaining(message),
      });
    expect(bucket.objects.has('seven/original')).toBe(false);
  });

  it('leaves no files on this machine', async () => {
    const files = openBucket();
    await files.sweep(later());
    await store(files, 'eight/original', 'x');
    await (await files.fetch('eight/original'))[Symbol.asyncDispose]();
    await store(files, 'eight/original', 'x'.repeat(1_000));
    bucket.breaksOff = true;
    await expect(files.fetch('eight/original')).rejects.toThrow(ServiceUnavailable);
    bucket.breaksOff = false;
    expect(readdirSync(join(directory, 'of-the-bucket'))).toEqual([]);
  });
});
