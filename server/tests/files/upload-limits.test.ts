import { setTimeout as wait } from 'node:timers/promises';
import type { SiteSettings } from '@rowmill/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { ending, part, sendRaw, sheetPart } from '../support/raw-request.ts';
import { expectStored, storedFiles } from '../support/stored-files.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

const megabyte = 1_000_000;
let storedBefore: number;
const server = await startTestServer();
const client = await createUser(server);
/** The rate limit allows ten uploads a minute. */
beforeEach(() => {
  server.clock.advance(60_000);
  storedBefore = storedFiles(server).length;
});

const expectNothingLeft = () => expectStored(server, storedBefore);

function* repeated(piece: Uint8Array, bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= piece.length)
    yield left < piece.length ? piece.subarray(0, left) : piece;
}

/** A form with a file that starts with `start` and repeats `piece` up to a size. */
function* formOf(start: string, piece: Uint8Array, bytes: number): Generator<Uint8Array> {
  yield sheetPart(start).subarray(0, -2);
  yield* repeated(piece, bytes - start.length);
  yield Buffer.concat([Buffer.from('\r\n'), ending]);
}

const wrapping = sheetPart('').length + ending.length;
const textPiece = Buffer.from(`${'x'.repeat(99)}\n`.repeat(2_000));

/**
 * Calls the health endpoint until an upload ends. `longest` is the most CPU time the main thread
 * used between two calls, in milliseconds; unlike elapsed time it does not depend on other work of
 * the machine.
 */
async function watchUntil(
  upload: Promise<unknown>,
): Promise<{ longest: number; healthCalls: number }> {
  let isDone = false;
  void upload.then(() => {
    isDone = true;
  });
  let [longest, healthCalls] = [0, 0];
  while (!isDone) {
    const before = process.threadCpuUsage();
    expect((await fetch(`${server.app.url}/health/live`)).status).toBe(200);
    healthCalls += 1;
    await wait(1);
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
  }
  return { longest, healthCalls };
}

describe('a file over the usual limit of 200 MB', () => {
  const refusal = {
    status: 413,
    body: {
      code: 'too_large',
      message: 'The file is larger than 200 MB. Split it and upload the parts.',
    },
  };

  it('is refused unread when its length header exceeds the limit', async () => {
    const body = formOf('Prompt\n', textPiece, 300 * megabyte);
    const answer = await sendRaw(server, {
      token: client.token,
      body,
      length: 300 * megabyte + wrapping,
    });
    expect(answer).toMatchObject(refusal);
    expect(answer.sent).toBeLessThan(10 * megabyte);
    await expectNothingLeft();
  });

  it('is refused at the first byte over the limit, with and without a length header', async () => {
    for (const length of [200 * megabyte + 1 + wrapping, undefined]) {
      const body = formOf('Prompt\n', textPiece, 200 * megabyte + 1);
      expect(
        await sendRaw(server, { token: client.token, body, ...(length ? { length } : {}) }),
      ).toMatchObject(refusal);
      await expectNothingLeft();
    }
  });

  it('is refused while it is still being sent, in bounded memory', async () => {
    const before = process.memoryUsage.rss();
    const body = formOf('Prompt\n', textPiece, Number.POSITIVE_INFINITY);
    const answer = await sendRaw(server, { token: client.token, body });
    const growth = process.memoryUsage.rss() - before;
    expect(answer).toMatchObject(refusal);
    expect(answer.sent).toBeLessThan(210 * megabyte);
    expect(growth).toBeLessThan(100 * megabyte);
    await expectNothingLeft();
  });
});

describe('a hostile file', () => {
  const many = (text: string) => Buffer.from(text.repeat(100_000));
  const openQuote = /^Line 2: the quote that opens here is not closed/;
  const emptyLines = /^Line 1,000,002: more than 1,000,000 empty lines/;
  const manyRows = /^Line 1,000,002: more than 1,000,000 rows/;
  const hostile: [string, string, Uint8Array, number, status: number, message: RegExp][] = [
    ['an unclosed quote', 'a,b\n1,"', textPiece, 64 * megabyte, 422, openQuote],
    ['a million commas', '', many(','), megabyte, 413, /^Line 1: /],
    ['ten million empty lines', 'a\n', many('\n'), 10 * megabyte, 413, emptyLines],
    ['ten million carriage returns', 'a\r', many('\r'), 10 * megabyte, 413, /empty lines/],
    ['text full of NUL', 'a,b\n', Buffer.alloc(100_000), 64 * megabyte, 415, /nor a text file/],
    ['only NUL bytes', '', Buffer.alloc(100_000), 190 * megabyte, 415, /nor a text file/],
    ['a million and one rows', 'a\n', many('b\n'), 2_000_004, 413, manyRows],
    ['a record of bad characters', 'a\n', Buffer.alloc(100_000, 255), megabyte, 413, /^Line 2: /],
  ];

  it.each(hostile)(
    'is refused with its line while other calls are served: %s',
    async (_what, start, piece, bytes, expected, message) => {
      const upload = sendRaw(server, { token: client.token, body: formOf(start, piece, bytes) });
      const { healthCalls, longest } = await watchUntil(upload);
      const { status, body } = await upload;
      expect(status).toBe(expected);
      expect(body.message).toMatch(message);
      expect(healthCalls).toBeGreaterThan(0);
      expect(longest).toBeLessThan(100);
      await expectNothingLeft();
    },
  );

  it('is never decompressed', async () => {
    const body = [sheetPart('a,b\n1,2\n'), ending];
    for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'identity, gzip']) {
      const answer = await sendRaw(server, {
        token: client.token,
        body,
        headers: { 'content-encoding': coding },
      });
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media' } });
    }
    const inBase64 = [
      part('file', 'YSxiCjEsMgo=', {
        file: 'a.csv',
        headers: ['Content-Transfer-Encoding: base64'],
      }),
      ending,
    ];
    expect(await sendRaw(server, { token: client.token, body: inBase64 })).toMatchObject({
      status: 415,
    });
    await expectNothingLeft();
  });
});

describe('the limit settings', () => {
  it('reach the browser with the site settings', async () => {
    const response = await fetch(`${server.app.url}/config.prod.json`);
    expect(((await response.json()) as SiteSettings).limits).toEqual({
      upload_bytes: 200 * megabyte,
      sheet_rows: 1_000_000,
      sheet_columns: 200,
    });
  });
});
