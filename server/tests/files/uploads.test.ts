import { randomUUID } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { endpoints } from '@rowmill/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { textRow, workbookOf } from '../../harness/test-workbook.ts';
import type { Context } from '../../src/core/context.ts';
import { storeSheet } from '../../src/domains/files/uploads.ts';
import { withIdempotencyKeyAroundExternalCall } from '../../src/domains/requests/idempotency-keys.ts';
import { ending, sendRaw, sheetPart } from '../support/raw-request.ts';
import {
  expectStored,
  filesOfSheet,
  openHandles,
  storedFiles,
  unfinishedFiles,
} from '../support/stored-files.ts';
import { startTestServer } from '../support/test-server.ts';
import { actingOf, createUser } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

let storedBefore: number;
const limits = {
  UPLOAD_MAX_MB: '1',
  SHEET_MAX_ROWS: '40000',
  SHEET_MAX_COLUMNS: '200',
  RECORD_MAX_KB: '4',
  CELL_MAX_KB: '2',
};
const server = await startTestServer(limits);
const client = await createUser(server);
/** The rate limit allows ten uploads a minute. */
beforeEach(() => {
  server.clock.advance(60_000);
  storedBefore = storedFiles(server).length;
});

const expectNothingLeft = () => expectStored(server, storedBefore);

const start = (file: string, question = 'Say {{a}}') =>
  server.ask({ query: { file, start: true }, questionWithVariable: question }, client);

type Answer = Record<string, unknown>;

describe('a sheet over a limit', () => {
  it.each([
    ['bytes', `a\n${'b\n'.repeat(500_000)}`, /^The file is larger than 1 MB\. Split it/],
    [
      'rows',
      `a,b\n${'1,2\n'.repeat(40_001)}`,
      /^Line 40,002: more than 40,000 rows\. Split the sheet/,
    ],
    ['columns', `a,b\n1,2\n${',x'.repeat(200)}\n`, /^Line 3: more than 200 columns\. Delete those/],
    [
      'the bytes of a record',
      `a,b,c\n1,2,3\n${`${'x'.repeat(2047)},`.repeat(2)}y\n`,
      /^Line 3: the record has more than 4,096 bytes\. Shorten its cells/,
    ],
    [
      'the bytes of a cell',
      `a,b\n1,${'x'.repeat(2049)}\n`,
      /^Line 2: the cell in “b” has more than 2,048 bytes\. Shorten it/,
    ],
    [
      'empty lines',
      `a\n${'\n'.repeat(40_001)}b\n`,
      /^Line 40,002: more than 40,000 empty lines\. Delete them/,
    ],
  ])('is refused with the line that exceeds it: %s', async (_what, csv, message) => {
    const { status, body } = await server.upload(csv, client);
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 413,
      code: 'too_large',
      message: expect.stringMatching(message),
    });
    await expectNothingLeft();
  });

  it('is accepted when it is exactly at the limit', async () => {
    const csv = `a,b\n${`${'x'.repeat(2048)},${'y'.repeat(2047)}\n`.repeat(2)}`;
    expect((await server.upload(csv, client)).body.file.rows).toBe(2);
  });
});

describe('the dialect of a file', () => {
  it.each([
    [
      'a legacy encoding',
      Buffer.from('a,b\nZo\xeb,cr\xe8me\n', 'latin1'),
      { encoding: 'windows-1252' },
      [['Zoë', 'crème']],
    ],
    [
      'two delimiters',
      Buffer.from('a;b,c;d\n1;2,3;4\n5;6,7;8\n'),
      { delimiter: ';' as const },
      [
        ['1', '2,3', '4'],
        ['5', '6,7', '8'],
      ],
    ],
  ])('must be confirmed before a start for %s', async (_what, bytes, choice, rows) => {
    const { file } = (await server.upload(bytes, client)).body;
    expect(file.is_sure).toBe(false);
    expect(file.candidates.length).toBeGreaterThan(0);
    expect(file.candidates).toContainEqual(expect.objectContaining(choice));
    expect(file.candidates[0]?.sample.length).toBeGreaterThan(0);
    expect(await start(file.id)).toMatchObject({ status: 409, body: { code: 'not_now' } });
    const revised = (await server.call('reviseFile', { id: file.id, ...choice }, client)).body.file;
    expect(revised).toMatchObject({ id: file.id, is_sure: true, candidates: [], dialect: choice });
    expect((await server.call('getFile', { id: file.id }, client)).body.rows).toEqual(rows);
    expect((await start(file.id)).body.code).not.toBe('not_now');
    expect(filesOfSheet(server, file.id)).toEqual([
      'original',
      expect.stringContaining(`rows-${revised.dialect.encoding}`),
    ]);
    expect(await unfinishedFiles(server)).toEqual([]);
  });

  it('is the chosen sheet of a workbook', async () => {
    const bytes = await workbookOf({
      sheets: {
        Notes: textRow('Note') + textRow('x'),
        People: textRow('Name', 'City') + textRow('Ada', 'London'),
      },
    });
    const { file } = (await server.upload(bytes, { ...client, name: 'people.xlsx' })).body;
    expect(file).toMatchObject({
      is_sure: false,
      dialect: { format: 'workbook', worksheet: 0 },
      candidates: [{ worksheet: 0 }, { worksheet: 1 }],
    });
    expect(await start(file.id)).toMatchObject({ status: 409, body: { code: 'not_now' } });
    const choice = { id: file.id, worksheet: 1 };
    const revised = (await server.call('reviseFile', choice, client)).body.file;
    expect(revised).toMatchObject({ is_sure: true, columns: ['Name', 'City'] });
    expect((await server.call('getFile', { id: file.id }, client)).body.rows).toEqual([
      ['Ada', 'London'],
    ]);
    expect((await start(file.id, 'Greet {{Name}}')).body.code).toBe('insufficient_credits');
    expect(filesOfSheet(server, file.id)).toEqual(['original', expect.stringContaining('sheet-1')]);
    expect(await server.call('reviseFile', { ...choice, worksheet: 7 }, client)).toMatchObject({
      status: 422,
      body: { code: 'unreadable_file' },
    });
    const original = await server.download('downloadUploadedCsv', { id: file.id }, client);
    expect(original.headers.get('content-type')).toContain('spreadsheetml');
    expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true);
  });
});

it('JSON lines are downloaded under their own type', async () => {
  const { file } = (await server.upload('{"a":1}\n', { ...client, name: 'a.jsonl' })).body;
  const original = await server.download('downloadUploadedCsv', { id: file.id }, client);
  expect(original.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
});

describe('the form of an upload', () => {
  it('names the sheet of a workbook and the lines to skip', async () => {
    const sheets = { Data: textRow('a', 'b') + textRow('1', '2'), More: textRow('c', 'd') };
    const fields = { worksheet: '1', header: 'false' };
    const second = await server.upload(await workbookOf({ sheets }), { ...client, fields });
    expect(second.body.file).toMatchObject({ dialect: { worksheet: 1 }, sample: [['c', 'd']] });
    const skipping = { skip_rows: '1', header_rows: '1' };
    const text = await server.upload('Report\na,b\n1,2\n', { ...client, fields: skipping });
    expect(text.body.file).toMatchObject({ columns: ['a', 'b'], sample: [['1', '2']] });
  });
});

describe('a sheet', () => {
  it('is shown with its rows, and read again with a chosen dialect', async () => {
    const file = (await server.upload('a;b\n1;2\n3;4\n', client)).body.file.id;
    const shown = (await server.call('getFile', { id: file, start: 1, limit: 5 }, client)).body;
    expect(shown.file).toMatchObject({
      columns: ['a', 'b'],
      rows: 2,
      dialect: { delimiter: ';', header: true },
    });
    expect(shown.rows).toEqual([['3', '4']]);
    const revised = (await server.call('reviseFile', { id: file, header: false }, client)).body
      .file;
    expect(revised).toMatchObject({ columns: ['Column 1', 'Column 2'], rows: 3 });
  });

  it('is refused with a reason when it is not a text file or is empty', async () => {
    const zip = await server.upload(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), {
      ...client,
      name: 'a.csv',
    });
    expect(zip).toMatchObject({ status: 415, body: { code: 'unsupported_media' } });
    expect(await server.upload('', client)).toMatchObject({
      status: 422,
      body: { code: 'unreadable_file' },
    });
  });

  it('with odd names and ragged rows is stored with a report of the changes', async () => {
    const { file } = (
      await server.upload(
        `x,x,,__proto__,constructor\n${'1,2,3,4,5\n'.repeat(3)}1,2\n1,2,3,4,5,6\n`,
        client,
      )
    ).body;
    expect(file.columns).toEqual(['x', 'x (2)', 'Column 3', '__proto__', 'constructor']);
    expect(file.sample.slice(3)).toEqual([
      ['1', '2', '', '', ''],
      ['1', '2', '3', '4', '5,6'],
    ]);
    expect(file.report.problems.map(({ line, kind }) => [line, kind])).toEqual([
      [1, 'duplicate_header'],
      [1, 'empty_header'],
      [5, 'ragged'],
      [6, 'ragged'],
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    const path = `/api/emedia/downloadUploadedCsv/${file.id}?repaired=true`;
    const headers = { authorization: `Bearer ${client.token}` };
    const answer = await fetch(server.app.url + path, { headers });
    expect(answer.headers.get('content-disposition')).toContain('-repaired.csv');
    const repaired = Buffer.from(await answer.arrayBuffer()).toString();
    expect(repaired.startsWith('\ufeffx,x (2),Column 3,__proto__,constructor\r\n')).toBe(true);
    expect(repaired.endsWith('1,2,,,\r\n1,2,3,4,"5,6"\r\n')).toBe(true);
  });

  it('is stored once, however often its upload is sent with one idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        retryWhileBusy(() => server.upload('a\n1\n2\n', { ...client, headers }), [429, 503]),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.file.id)).size).toBe(1);
    await expectStored(server, storedBefore + 1);
    const fields = { campaign: 'spring' };
    for (const [csv, other] of [
      ['a\n1\n3\n', {}],
      ['a\n1\n2\n', { fields }],
    ] as const)
      expect(await server.upload(csv, { ...client, headers, ...other })).toMatchObject({
        status: 422,
        body: { code: 'idempotency_mismatch' },
      });
  });

  it('is stored once when its process is killed before it answers, and the upload is repeated', async () => {
    const { ctx } = server.app;
    const keyed = { userId: client.id, subjectId: client.id, key: randomUUID(), body: {} };
    const request = { ...keyed, call: endpoints.saveFile.path };
    const store = async (ctx: Context) => {
      const path = ctx.files.temporaryPath();
      await writeFile(path, 'a\n1\n2\n');
      const upload = { path, name: 'a.csv', bytes: 6, digest: '', metadata: {} };
      return { status: true, ...(await storeSheet(ctx, actingOf(client), { upload })) };
    };
    const answer = Promise.withResolvers<Answer>();
    void withIdempotencyKeyAroundExternalCall(ctx, request, async (ctx) => {
      answer.resolve(await store(ctx));
      return new Promise(() => {});
    });
    const first = await answer.promise;
    const repeated = withIdempotencyKeyAroundExternalCall(ctx, request, store);
    expect(await repeated).toEqual(first);
    // A process that was frozen finds that another one has taken its place.
    const late = store({ ...ctx, idempotencyKey: keyed.key });
    await expect(late).rejects.toMatchObject({ code: 'busy' });
    await expectStored(server, storedBefore + 1);
  });

  it('keeps other fields of the form as metadata, within limits', async () => {
    const fields = {
      campaign: 'spring',
      nested: '{"a":[1,"two"]}',
      yes: 'true',
      header: 'true',
      // Keys are arbitrary, so these are no options.
      comment: 'from the shop',
      trim: 'null',
      switchedAs: '{}',
    };
    const { status, body } = await server.upload('a\n1\n', { ...client, fields });
    expect(status).toBe(200);
    const { metadata } = await server.app.ctx.db
      .selectFrom('sheets')
      .select('metadata')
      .where('id', '=', body.file.id)
      .executeTakeFirstOrThrow();
    expect(metadata).toEqual({
      campaign: 'spring',
      nested: { a: [1, 'two'] },
      yes: true,
      comment: 'from the shop',
      trim: null,
    });
    const unread = await server.upload('a\n1\n', { ...client, fields: { switchedAs: 'x' } });
    expect(unread.status).toBe(422);
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'x']));
    expect((await server.upload('a\n1\n', { ...client, fields: keys(32) })).status).toBe(200);
    for (const refused of [
      keys(33),
      { long: 'x'.repeat(8 * 1024) },
      { wide: '日'.repeat(3000) },
      { cut: 'x'.repeat(20_000) },
      { nul: 'a\0b' },
      { half: '{"a":"\\ud800"}' },
      { deep: '['.repeat(4000) + ']'.repeat(4000) },
    ]) {
      const answer = await server.upload('a\n1\n', { ...client, fields: refused });
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'invalid_input', fields: { request: expect.any(String) } },
      });
      server.clock.advance(10_000);
    }
    const odd = { slash: '\\u0000 \\\\ud800', nested: '['.repeat(15) + ']'.repeat(15), last: '\\' };
    expect((await server.upload('a\n1\n', { ...client, fields: odd })).status).toBe(200);
  });
});

describe('when the disk is full', () => {
  /** Makes one of the two files a link to a device that cannot be written to. */
  function fillUp(files: 'the upload' | 'its rows'): () => void {
    const { ctx } = server.app;
    const { temporaryPath } = ctx.files;
    let asked = 0;
    ctx.files.temporaryPath = () => {
      const path = temporaryPath();
      if (++asked === (files === 'the upload' ? 1 : 2)) symlinkSync('/dev/full', path);
      return path;
    };
    return () => {
      ctx.files.temporaryPath = temporaryPath;
    };
  }

  it.each(['the upload', 'its rows'] as const)(
    'refuses and leaves no file if it fills up with %s',
    async (files) => {
      const freeUp = fillUp(files);
      const answer = await server.upload('a\n1\n', client);
      freeUp();
      expect(answer).toMatchObject({ status: 507, body: { code: 'storage_full' } });
      await expectNothingLeft();
      expect((await server.upload('a\n1\n', client)).status).toBe(200);
    },
  );
});

describe('cancelled uploads', () => {
  it('leave neither files nor open handles', async () => {
    const whole = Buffer.concat([sheetPart(`a\n${'b\n'.repeat(300)}`), ending]);
    const cancelAfter = (bytes: number) =>
      sendRaw(server, {
        token: client.token,
        body: [whole.subarray(0, bytes)],
        length: whole.length,
        hangsUp: true,
      });
    await cancelAfter(whole.length / 2);
    await unfinishedFiles(server);
    const before = openHandles();
    for (let round = 0; round < 20; round++) {
      server.clock.advance(60_000);
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          cancelAfter(index === 0 ? whole.length : whole.length / 2),
        ),
      );
    }
    await expectNothingLeft();
    // Database connections vary; a leak would leave two hundred files or sockets.
    await expect.poll(openHandles).toBeLessThan(before + 60);
  });
});
