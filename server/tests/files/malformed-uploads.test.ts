import { setTimeout as wait } from 'node:timers/promises';
import { endpoints, type RefusalBody, refusals } from '@rowmill/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { boundary, ending, openSocket, part, sendRaw, sheetPart } from '../support/raw-request.ts';
import { storedFiles, unfinishedFiles } from '../support/stored-files.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, type TestUser } from '../support/users.ts';

let client: TestUser;
const server = await startTestServer({ UPLOAD_MAX_MB: '1' });
client = await createUser(server);
/** The rate limit allows ten uploads a minute. */
beforeEach(() => server.clock.advance(60_000));

const sheet = sheetPart('a,b\n1,2\n');
const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => part(`field${index}`, 'x'));
const disposition = (rest: string) =>
  Buffer.from(`--${boundary}\r\nContent-Disposition: ${rest}\r\n\r\na\n1\n\r\n`);

const json = { headers: ['Content-Type: application/json'] };
const type = (contentType: string) => ({ 'content-type': contentType });
const withBoundary = (value: string) => type(`multipart/form-data; boundary=${value}`);
const manyHeaders = Array.from({ length: 5000 }, (_, index) => `X-${index}: x`);
const garbage = Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256);

/** Bodies that no browser sends, by the status of the answer. */
const malformed: Record<number, [string, Uint8Array[], Record<string, string>?][]> = {
  404: [
    [
      'a length that cannot be compared',
      [part('switchedAs', '{"user_id":{"length":{"toString":null}}}'), sheet, ending],
    ],
  ],
  413: [
    ['a thousand and one fields', [...fields(1001), sheet, ending]],
    ['a thousand and one fields after the file', [sheet, ...fields(1001), ending]],
  ],
  415: [
    ['another kind of multipart', [sheet, ending], type(`multipart/mixed; boundary=${boundary}`)],
    ['JSON', [Buffer.from('{"file":{"path":"/etc/passwd"}}')], type('application/json')],
    ['a URL-encoded form', [Buffer.from('file=a')], type('application/x-www-form-urlencoded')],
  ],
  422: [
    ['two files', [sheet, sheet, ending]],
    ['no file', [part('name', 'x'), ending]],
    ['no part', [ending]],
    ['an empty body', []],
    ['a field named __proto__', [part('__proto__', '{"polluted":true}'), sheet, ending]],
    ['a file named __proto__', [part('__proto__', 'a\n1\n', { file: 'a.csv' }), ending]],
    ['a field named constructor', [part('constructor', 'x'), sheet, ending]],
    ['the file under another name', [part('upload', 'a\n1\n', { file: 'a.csv' }), ending]],
    ['the file as a field', [part('file', 'a\n1\n'), ending]],
    ['the file as JSON', [part('file', '{"path":"/etc/passwd"}', json), ending]],
    ['invalid JSON', [part('x', '{', json), sheet, ending]],
    [
      'no Content-Disposition header',
      [Buffer.from(`--${boundary}\r\nContent-Type: text/csv\r\n\r\na\n1\n\r\n`), ending],
    ],
    ['a disposition of another kind', [disposition('attachment; filename="a.csv"'), ending]],
    ['no name', [disposition('form-data; filename="a.csv"'), ending]],
    ['a part without an end', [sheet.subarray(0, -6)]],
    [
      'a part without a body',
      [disposition('form-data; name="file"; filename="a"').subarray(0, -8)],
    ],
    ['a field without an end', [sheet, part('x', 'y').subarray(0, -4)]],
    ['5,000 headers', [part('file', 'a\n1\n', { headers: manyHeaders }), ending]],
    ['garbage', [Buffer.from(garbage)]],
    ['no boundary', [sheet, ending], type('multipart/form-data')],
    ['another boundary', [sheet, ending], withBoundary('other')],
    ...[252, 253, 4_000].map((bytes): [string, Uint8Array[], Record<string, string>] => [
      `a boundary of ${bytes} bytes`,
      [sheet, ending],
      withBoundary('b'.repeat(bytes)),
    ]),
  ],
};
const cases = Object.entries(malformed).flatMap(([status, bodies]) =>
  bodies.map(([what, body, headers]) => ({ what, status: Number(status), body, headers })),
);

describe('a malformed upload', () => {
  it.each(cases)(
    'is refused with a reason and leaves no file: $what',
    async ({ body, status, headers = {} }) => {
      const kept = storedFiles(server);
      const length = Buffer.concat(body).length;
      for (const framing of [{}, { length }]) {
        const answer = await sendRaw(server, { token: client.token, body, headers, ...framing });
        expectRefusal(answer, status);
      }
      expect(await unfinishedFiles(server)).toEqual([]);
      expect(storedFiles(server)).toEqual(kept);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      expect((await fetch(`${server.app.url}/health/live`)).status).toBe(200);
    },
  );

  function expectRefusal(
    { status, body }: { status: number; body: RefusalBody },
    expected: number,
  ): void {
    expect(body).toMatchObject({
      status: false,
      message: expect.any(String),
      request_id: expect.any(String),
    });
    expect({ status, code: body.code }).toEqual({ status: expected, code: expect.any(String) });
    expect(refusals[body.code].status).toBe(status);
    if (body.code === 'invalid_input')
      expect(Object.values(body.fields ?? {})).toEqual([expect.stringMatching(/^[A-Z].*\.$/)]);
  }
});

describe('a connection closed early', () => {
  const whole = Buffer.concat([part('name', 'x'), sheetPart('a\n1\n'.repeat(1000)), ending]);

  it.each([1, 60, 200, 2000, whole.length - 8, whole.length - 1])(
    'after %d bytes leaves no file',
    async (bytes) => {
      const kept = storedFiles(server);
      await sendRaw(server, {
        token: client.token,
        body: [whole.subarray(0, bytes)],
        length: whole.length,
        hangsUp: true,
      });
      await sendRaw(server, {
        token: client.token,
        body: [whole.subarray(0, bytes)],
        hangsUp: true,
      });
      expect(await unfinishedFiles(server)).toEqual([]);
      expect(storedFiles(server)).toEqual(kept);
    },
  );
});

it('does not count uploads as under way whose client is gone once all is sent', async () => {
  const { token } = await createUser(server);
  const body = [sheetPart('a\n1\n'.repeat(1000)), ending];
  const length = Buffer.concat(body).length;
  for (let count = 0; count < 4; count++)
    await sendRaw(server, { token, body, length, hangsUp: true });
  await expect.poll(async () => (await sendRaw(server, { token, body })).status).toBe(200);
});

describe('the name of a file', () => {
  // The server may not have noticed yet that the uploads above were given up.
  beforeAll(async () => {
    client = await createUser(server);
  });

  it.each([
    ['../../x', 'x'],
    ['..\\\\..\\\\x.csv', 'x.csv'],
    ['/etc/passwd', 'passwd'],
    ['', 'sheet.csv'],
    ['..', 'sheet.csv'],
    ['a\u202Evsc.exe', 'avsc.exe'],
    ['\u0000\u0007\u009f', 'sheet.csv'],
    [`${'n'.repeat(199)}😀.csv`, `${'n'.repeat(199)}😀`],
    ['Sales %22Q1%22%0D%0A 20%.csv', 'Sales "Q1" 20%.csv'],
    ['=cmd|calc!A0.csv', '=cmd|calc!A0.csv'],
  ])('%j is only text and becomes %j', async (given, shown) => {
    const answer = await sendRaw(server, {
      token: client.token,
      body: [sheetPart('a\n1\n', given), ending],
    });
    expect(answer).toMatchObject({ status: 200, body: { file: { name: shown } } });
    expect(storedFiles(server)).toContain((answer.body.file as { id: string }).id);
  });
});

it('closes the connection of a client that keeps sending after a refusal', async () => {
  const { socket, answer } = openSocket(server);
  const head = [
    `POST ${endpoints.saveFile.path} HTTP/1.1`,
    'host: x',
    `content-type: multipart/form-data; boundary=${boundary}`,
  ];
  socket.write(`${[...head, 'transfer-encoding: chunked', '', ''].join('\r\n')}`);
  while (!socket.destroyed) {
    socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`);
    await wait(10);
  }
  expect(answer()).toMatch(/^HTTP\/1.1 401 /);
});
