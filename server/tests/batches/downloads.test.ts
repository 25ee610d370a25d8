// size: every kind of result file has the same server and the same echo for a provider
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Batch, type CallRequest, endpoints, type Output } from '@rowmill/contract';
import * as fc from 'fast-check';
import readWorkbook from 'read-excel-file/node';
import { beforeEach, describe, expect, it } from 'vitest';
import { completion, readRequest } from '../../../fakes/chat/answers.ts';
import { importContent } from '../../harness/test-sheet.ts';
import { textRow, workbookOf } from '../../harness/test-workbook.ts';
import { downloadResults } from '../../src/domains/batches/results/download.ts';
import { nothingToAsk } from '../../src/texts/batches.ts';
import { closeAtEnd } from '../support/closing.ts';
import { openHandles } from '../support/stored-files.ts';
import { startTestServer } from '../support/test-server.ts';
import { actingOf, createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const server = await startTestServer({
  CHAT_BASE_URL: await startEcho(),
  CHAT_MODEL: 'echo',
  CHAT_CONCURRENCY: '8',
});
const client = await createUser(server, { submissions: 100_000 });
/** The rate limit allows ten uploads a minute. */
beforeEach(() => server.clock.advance(60_000));

let hold: Promise<void> | null = null;

/** A provider that answers with the prompt, so that tests choose the answers. */
async function startEcho(): Promise<string> {
  // Idle connections stay open, so that no call uses one that is just closing.
  const provider = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end();
    const question = readRequest(JSON.parse(await text(request)));
    if (question.prompt.includes('held')) await hold;
    response.setHeader('content-type', 'application/json');
    // It ignores every form, so the form is described behind the prompt.
    const [content = ''] = question.prompt.split('\n\nAnswer with one JSON object');
    response.end(completion(question, { content }));
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  closeAtEnd(() => provider.close());
  return `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
}

const quoted = (cells: readonly string[]) =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;

async function sheetOf(rows: readonly string[][], name = 'sheet.csv'): Promise<string> {
  const fields = { encoding: 'utf-8', delimiter: ',', header: 'true' };
  const { status, body } = await server.upload(rows.map(quoted).join(''), {
    ...client,
    name,
    fields,
  });
  expect(status).toBe(200);
  return body.file.id;
}

async function startBatch(file: string, questionWithVariable: string): Promise<string> {
  const { body } = await server.ask({ questionWithVariable, query: { file, start: true } }, client);
  return body.batch?.id ?? '';
}

async function endedBatch(file: string, question: string): Promise<string> {
  const id = await startBatch(file, question);
  await untilBatch(id, ({ state }) => state === 'completed');
  return id;
}

async function untilBatch(id: string, isReached: (batch: Batch) => boolean): Promise<void> {
  await until(async () => isReached((await server.call('getBatch', { id }, client)).body.batch));
}

type Format = 'csv' | 'xlsx' | 'jsonl';
const download = (file: string, format: Format = 'csv') =>
  server.download('downloadChatGptResponse', { file, format }, client);

async function recordsOf(file: string): Promise<string[][]> {
  const text = await (await download(file)).text();
  const dialect = { encoding: 'utf-8', delimiter: ',', header: false };
  return (await importContent(text, { dialect })).rows;
}

describe('the uploaded file unchanged, plus columns', () => {
  const ask = (file: string, more: object = {}) =>
    server.call(
      'downloadChatGptResponse',
      { file, format: 'csv', unchanged: true, ...more } as never,
      client,
    );
  const bytesOf = async (file: string) => {
    const request = { file, format: 'csv' as const, unchanged: true };
    const answer = await server.download('downloadChatGptResponse', request, client);
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const changesOf = async (id: string) =>
    (await server.call('getBatch', { id }, client)).body.batch.file_changes;

  it('keeps encoding, delimiter, quotes, line ends and formulas, and says what an answer lost', async () => {
    const text = 'Name;Preis;text\r\n"Müller";1,5;grün\r\n=A1;-2;Käse';
    const fields = { encoding: 'windows-1252', delimiter: ';', header: 'true' };
    const named = { ...client, name: 'preise.tsv', fields };
    const { body } = await server.upload(Buffer.from(text, 'latin1'), named);
    const id = await endedBatch(body.file.id, '{{text}} → ja; =1');
    expect(await changesOf(id)).toBeNull();
    const { answer, bytes } = await bytesOf(id);
    expect(answer.headers.get('content-disposition')).toContain('preise-answers.tsv');
    expect(answer.headers.get('content-type')).toContain('windows-1252');
    const problem =
      'Some characters do not exist in windows-1252 and were replaced. XLSX and CSV have them all.';
    expect(bytes.toString('latin1').split('\r\n')).toEqual([
      'Name;Preis;text;Answer;Problem',
      `"Müller";1,5;grün;"grün ? ja;' =1";${problem}`,
      `=A1;-2;Käse;"Käse ? ja;' =1";${problem}`,
    ]);
    expect(await changesOf(id)).toEqual({ apostrophes: 2, replaced: 2 });
    expect(await (await download(id)).text()).toContain("\r\n'=A1;-2;");
    expect(await changesOf(id)).toEqual({ apostrophes: 3, replaced: 0 });
  });

  it('has the answers below their headings beside rows with more cells than columns', async () => {
    const text = 'a,b\nx,1\ny,2,3,4\nz,,5\n,,,,\n';
    const fields = { encoding: 'utf-8', delimiter: ',', header: 'true' };
    const { body } = await server.upload(text, { ...client, name: 'ragged.csv', fields });
    const id = await endedBatch(body.file.id, '{{a}}');
    const lines = (await bytesOf(id)).bytes.toString().trimEnd().split('\n');
    expect(lines.map((line) => line.split(',').slice(0, 6))).toEqual([
      ['a', 'b', '', '', '', 'Answer'],
      ['x', '1', '', '', '', 'x'],
      ['y', '2', '3', '4', '', 'y'],
      ['z', '', '5', '', '', 'z'],
      ['', '', '', '', '', ''],
    ]);
  });

  it('is refused in words for a workbook, JSON Lines and other formats', async () => {
    const lines = (await server.upload('{"text":"a"}\n', { ...client, name: 'a.jsonl' })).body.file;
    const cells = { Sheet: textRow('text') + textRow('a') };
    const bytes = await workbookOf({ sheets: cells });
    const book = (await server.upload(bytes, { ...client, name: 'a.xlsx' })).body.file;
    for (const [sheet, reason] of [
      [lines, /JSON Lines/],
      [book, /workbook/],
    ] as const) {
      const id = await endedBatch(sheet.id, '{{text}}');
      expect(await ask(id)).toMatchObject({
        status: 422,
        body: { fields: { unchanged: expect.stringMatching(reason) } },
      });
      expect((await ask(id, { format: 'xlsx' })).body.fields?.unchanged).toMatch(/is CSV/);
    }
  });
});

describe('a result file', () => {
  const starts = [...'=+-@\t\r\n "\'＝＋－＠05.,a(|'];
  const cell = fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...starts), minLength: 1, maxLength: 8 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
      fc.constantFrom(
        '=cmd|’/C calc’!A0',
        '+44 1624',
        '-5',
        '+5.25',
        '-5,25',
        '@SUM(1)',
        ' =1',
        '-5-5',
        '=HYPERLINK("x","y")',
      ),
    )
    .filter((text) => text.trim() !== '' && !/[\0\ufeff{}\ufffd]/.test(text));
  const pureNumber = /^[+-]?\d+([.,]\d+)?$/;
  const isDangerous = (text: string) =>
    /^[\s"'“”‘’]*[=+\-@\t\r＝＋－＠]/.test(text) && !pureNumber.test(text);
  const disarmed = (part: string) => (isDangerous(part) ? `'${part}` : part);
  /** A spreadsheet with other settings may split the cell, so each part is safe too. */
  const safe = (text: string) => {
    const parts = text.split(/([;\t|\r\n])/);
    const inner = parts
      .map((part, at) => (at > 0 && at % 2 === 0 ? disarmed(part) : part))
      .join('');
    return isDangerous(text) ? `'${inner}` : inner;
  };

  it('contains no cell that a spreadsheet would run as a formula', async () => {
    const cells = fc.sample(cell, { numRuns: 300, seed: 4711 });
    const header = ['=a', '+b', '-c', '@d', '-5', 'text'];
    const file = await sheetOf([
      header,
      ...cells.map((text) => [text, `x${text}`, '-5', '+5,25', '12', text]),
    ]);
    const id = await endedBatch(file, '{{text}}');
    const [names, ...records] = await recordsOf(id);
    expect(names).toEqual(["'=a", "'+b", "'-c", "'@d", '-5', 'text', 'Answer', 'Problem']);
    expect(records).toHaveLength(cells.length);
    const { rows } = await answersOf(id);
    for (const [index, text] of cells.entries()) {
      const answer = rows[index]?.answer ?? '';
      const isAsked = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(text);
      expect(records[index]).toEqual([
        safe(text),
        safe(`x${text}`),
        '-5',
        '+5,25',
        '12',
        safe(text),
        safe(answer),
        isAsked ? '' : nothingToAsk,
      ]);
      expect(answer.trim()).toBe(isAsked ? text.trim() : '');
    }
  });

  async function answersOf(id: string) {
    const lines = (await (await download(id, 'jsonl')).text()).trimEnd().split('\n');
    return {
      rows: lines.map(
        (line) =>
          JSON.parse(line) as { row: number; answer: string; state: string; columns: object },
      ),
    };
  }

  it('keeps columns named __proto__ and constructor', async () => {
    const id = await endedBatch(
      await sheetOf([
        ['__proto__', 'constructor'],
        ['one', 'two'],
      ]),
      'Say {{__proto__}} {{constructor}}',
    );
    const { rows } = await answersOf(id);
    expect(JSON.stringify(rows[0]?.columns)).toBe('{"__proto__":"one","constructor":"two"}');
    expect(rows[0]).toMatchObject({ row: 1, answer: 'Say one two' });
  });

  it('keeps the order of columns named like numbers', async () => {
    const sheet = await sheetOf([
      ['text', '2024', '2023'],
      ['one', 'two', 'three'],
    ]);
    const json = await (await download(await endedBatch(sheet, '{{text}}'), 'jsonl')).text();
    expect(json).toContain('"columns":{"text":"one","2024":"two","2023":"three"},"state"');
  });

  it('is complete when answers lack columns named like members of objects', async () => {
    const outputs = ['toString', 'constructor', 'valueOf', 'hasOwnProperty'];
    const whole = JSON.stringify(Object.fromEntries(outputs.map((name) => [name, 'said'])));
    const file = await sheetOf([['text'], ['{"other":1}'], [whole]]);
    const request = { questionWithVariable: '{{text}}', query: { file, start: true, outputs } };
    const id = (await server.ask(request, client)).body.batch?.id ?? '';
    await untilBatch(id, ({ state }) => state === 'completed');
    expect((await recordsOf(id)).map((record) => record.slice(1, 5))).toEqual([
      outputs,
      ['', '', '', ''],
      outputs.map(() => 'said'),
    ]);
    const [workbook] = await readWorkbook(
      Buffer.from(await (await download(id, 'xlsx')).arrayBuffer()),
    );
    expect(workbook?.data).toHaveLength(3);
    expect((await (await download(id, 'jsonl')).text()).trimEnd().split('\n')).toHaveLength(2);
  });

  it('splits a fenced JSON answer into its columns and fails unusable answers uncharged, with their text only on the screen', async () => {
    const answer = '```json\n{"mood":"glad","score":3}\n```';
    const lacking = '{"mood":"glad"}';
    const file = await sheetOf([['text'], [answer], [lacking], ['no JSON']]);
    const ask = async (query: object) =>
      (await server.ask({ questionWithVariable: '{{text}}', query }, client)).body;
    const columns = { outputs: ['mood', 'score'] };
    const { answers = [] } = await ask({ file, preview: 2, rows: [1, 2], ...columns });
    expect(answers).toMatchObject([
      { answer: lacking, problem: expect.stringContaining('lacks the column “score”') },
      { answer: 'no JSON', problem: expect.stringContaining('not split into columns') },
    ]);
    const single = await server.ask({ question: 'no JSON', query: columns }, client);
    expect(single.body).toMatchObject({ code: 'model_failed', fields: { answer: 'no JSON' } });
    const id = (await ask({ file, start: true, ...columns })).batch?.id ?? '';
    await untilBatch(id, ({ state }) => state === 'completed');
    const { receipt } = (await server.call('getBatch', { id }, client)).body.batch;
    expect(receipt).toEqual({ answered: 1, failed: 2, skipped: 0, charged: 1, returned: 2 });
    const problems = [
      'The answer lacks the column “score”.',
      'The answer is not split into columns, as was asked for.',
    ];
    expect(await recordsOf(id)).toEqual([
      ['text', 'mood', 'score', 'Problem'],
      [answer, 'glad', '3', ''],
      [lacking, '', '', problems[0]],
      ['no JSON', '', '', problems[1]],
    ]);
    const { rows } = (await server.call('getRows', { id, filter: 'failed' }, client)).body;
    expect(rows.map(({ answer, problem }) => [answer, problem])).toEqual([
      [lacking, problems[0]],
      ['no JSON', problems[1]],
    ]);
  });

  it('holds the values of typed columns, and fails what does not fit uncharged', async () => {
    const outputs: Output[] = [
      { name: 'n', type: 'integer' },
      { name: 'price', type: 'number' },
      { name: 'ok', type: 'boolean' },
      { name: 'on', type: 'date' },
      { name: 'tags', type: 'choices', options: ['a', 'b'], may_be_empty: true },
    ];
    const long =
      '{"n":"12,345,678,901,234,567,890","price":1.50,"ok":"Yes","on":"3 March 2026","tags":["b","a"]}';
    const small = 'Sure: {"n":-7,"price":"€ 1.234,50","ok":false,"on":"2026-01-31","tags":null}';
    const bad = '{"n":"many","price":1,"ok":true,"on":"2026-01-31","tags":[]}';
    const file = await sheetOf([['text'], [long], [small], [bad]]);
    const query = { file, start: true, outputs };
    const { body } = await server.ask({ questionWithVariable: '{{text}}', query }, client);
    const id = body.batch?.id ?? '';
    await untilBatch(id, ({ state }) => state === 'completed');
    const { batch } = (await server.call('getBatch', { id }, client)).body;
    expect([batch.outputs, batch.receipt]).toEqual([
      outputs,
      { answered: 2, failed: 1, skipped: 0, charged: 2, returned: 1 },
    ]);
    const problem = '“n” must be a whole number, not “many”.';
    expect((await recordsOf(id)).map((record) => record.slice(1))).toEqual([
      ['n', 'price', 'ok', 'on', 'tags', 'Problem'],
      ['12345678901234567890', '1.5', 'Yes', '2026-03-03', 'a, b', ''],
      ['-7', '1234.5', 'No', '2026-01-31', '', ''],
      ['', '', '', '', '', problem],
    ]);
    const lines = (await (await download(id, 'jsonl')).text()).trimEnd().split('\n');
    expect(lines.map((line) => line.slice(line.lastIndexOf(',"values":') + 10, -1))).toEqual([
      '{"n":12345678901234567890,"price":1.5,"ok":true,"on":"2026-03-03","tags":["a","b"]}',
      '{"n":-7,"price":1234.5,"ok":false,"on":"2026-01-31","tags":null}',
      'null',
    ]);
    expect(lines.map((line) => JSON.parse(line).answer)).toEqual([long, small, null]);
    const [sheet] = await readWorkbook(
      Buffer.from(await (await download(id, 'xlsx')).arrayBuffer()),
    );
    expect(sheet?.data.slice(1, 3).map((cells) => cells.slice(1))).toEqual([
      ['12345678901234567890', 1.5, true, new Date('2026-03-03'), 'a, b', null],
      [-7, 1234.5, false, new Date('2026-01-31'), null, null],
    ]);
    const refused = await server.ask(
      {
        questionWithVariable: '{{text}}',
        query: { file, quote: true, outputs: [{ name: 'v', type: 'choice' }] },
      },
      client,
    );
    expect(refused.body).toMatchObject({
      fields: { 'query.outputs.0.options': 'List at least one option.' },
    });
  });

  it('can be a workbook of the same table as text', async () => {
    const rows = [
      ['=a', 'number'],
      ['=1+1', '007'],
      ['two\nlines', '12345678901234567890'],
      ['x'.repeat(40_000), '-5'],
    ];
    const id = await endedBatch(await sheetOf(rows), '{{number}}');
    const response = await download(id, 'xlsx');
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    expect(response.headers.get('content-disposition')).toContain('sheet-answers.xlsx');
    const [results, notes] = await readWorkbook(Buffer.from(await response.arrayBuffer()));
    const [header, ...records] = results?.data ?? [];
    expect(header).toEqual(['=a', 'number', 'Answer', 'Problem']);
    expect(records.slice(0, 2)).toEqual([
      ['=1+1', '007', '007', null],
      ['two\nlines', '12345678901234567890', '12345678901234567890', null],
    ]);
    expect(records[2]?.slice(1)).toEqual(['-5', '-5', null]);
    expect(notes?.data.at(-1)).toEqual(['A4', '40000']);
    const request = { file: id, format: 'xlsx', tokens: true } as const;
    const counted = await server.download('downloadChatGptResponse', request, client);
    const [table] = await readWorkbook(Buffer.from(await counted.arrayBuffer()));
    // Numbers, so that Excel can add them up.
    expect(table?.data[1]?.slice(4).map((cell) => typeof cell)).toEqual(Array(4).fill('number'));
  });

  it('cannot be a workbook when the sheet has too many rows', async () => {
    const file = await sheetOf([['a'], ['1']]);
    const id = await endedBatch(file, '{{a}}');
    await server.app.ctx.db
      .updateTable('sheets')
      .set({ rows: 1_048_576 })
      .where('id', '=', file)
      .execute();
    const { status, body } = await server.call(
      'downloadChatGptResponse',
      { file: id, format: 'xlsx' },
      client,
    );
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining('Choose CSV or JSONL'),
    ]);
  });

  it('starts with a byte order mark for Excel on request', async () => {
    const file = await endedBatch(await sheetOf([['a'], ['ä']]), '{{a}}');
    const answer = await server.download('downloadChatGptResponse', { file, bom: true }, client);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.toString('utf8')).toBe('\ufeffa,Answer,Problem\r\nä,ä,\r\n');
  });
});

describe('a downloaded file', () => {
  const names: [string, string][] = [
    ['plain.csv', 'plain'],
    ['=cmd|calc!A0.csv', '=cmd|calc!A0'],
    ['a"b;filename=evil.html.csv', 'a"b;filename=evil.html'],
    ['a\r\nSet-Cookie: x=y.csv', 'a\r\nSet-Cookie: x=y'],
    ['Zoë 日本 %41 \\.csv', 'Zoë 日本 %41 \\'],
    ["it's (1)*.csv", "it's (1)*"],
    ['half \ud800.csv', 'half \ufffd'],
  ];

  it.each(names)('named %j is saved under its name and never opened', async (name, shown) => {
    const file = await sheetOf([['a'], ['1']]);
    const id = await endedBatch(file, '{{a}}');
    // Set in the database, because uploads would refuse or change some of these names.
    for (const [table, of] of [
      ['sheets', file],
      ['batches', id],
    ] as const)
      await server.app.ctx.db.updateTable(table).set({ name }).where('id', '=', of).execute();
    const answers = [
      { response: await download(id), expected: `${shown}-answers.csv` },
      {
        response: await server.download('downloadUploadedCsv', { id: file }, client),
        expected: `${shown}.csv`,
      },
    ];
    for (const { response, expected } of answers) {
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('set-cookie')).toBeNull();
      const [, plain, encoded] =
        /^attachment; filename="([\w.-]*)"; filename\*=UTF-8''([\w.!#$&+^`|~%-]+)$/.exec(
          response.headers.get('content-disposition') ?? '',
        ) ?? [];
      expect(plain).toBeTruthy();
      expect(decodeURIComponent(encoded ?? '')).toBe(expected);
      await response.body?.cancel();
    }
  });

  it('has the name of its batch and the extension of its sheet', async () => {
    const file = await sheetOf([['a'], ['1']], 'goods.tsv');
    const id = await endedBatch(file, '{{a}}');
    await server.call('renameBatch', { id, name: 'Autumn v1.2' }, client);
    const nameOf = async (more: object) =>
      (await server.download('downloadChatGptResponse', { file: id, ...more }, client)).headers.get(
        'content-disposition',
      );
    expect(await nameOf({ format: 'xlsx' })).toContain('Autumn%20v1.2-answers.xlsx');
    expect(await nameOf({ unchanged: true })).toContain('Autumn%20v1.2-answers.tsv');
    expect(await nameOf({ format: 'jsonl' })).toContain('Autumn%20v1.2-answers.jsonl');
  });

  it('is the original byte for byte, with its encoding in the header', async () => {
    const bytes = Buffer.from('a,b\nZo\xeb,caf\xe9\n', 'latin1');
    const { file } = (
      await server.upload(bytes, { ...client, fields: { encoding: 'windows-1252' } })
    ).body;
    const answer = await server.download('downloadUploadedCsv', { id: file.id }, client);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=windows-1252');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  });
});

it.each([
  ['the first rows', { limit: 1 }, ['answered', null, null]],
  ['chosen rows', { rows: [1, 2] }, [null, 'answered', 'answered']],
])('has no state for a row outside the batch: %s', async (_, chosen, states) => {
  const file = await sheetOf([['number'], ['1'], ['2'], ['3']]);
  const query = { file, start: true, ...chosen };
  const { body } = await server.ask({ questionWithVariable: '{{number}}', query }, client);
  const { id } = body.batch as Batch;
  await untilBatch(id, ({ state }) => state === 'completed');
  const lines = (await (await download(id, 'jsonl')).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).state)).toEqual(states);
});

describe('a large result file', () => {
  const rows = Array.from({ length: 1_500 }, (_, index) => [`${index}`, 'x'.repeat(9_000)]);

  it('has every row in the order of the upload, also while the batch is running', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    const file = await sheetOf([['number', 'text'], ...rows]);
    const id = await startBatch(file, '{{number}} held');
    const states = async () =>
      (await (await download(id, 'jsonl')).text()).match(/"state":"(answered|waiting)"/g) ?? [];
    expect(new Set(await states())).toEqual(new Set(['"state":"waiting"']));
    const whileRunning = await recordsOf(id);
    expect(whileRunning.map(([number]) => number)).toEqual([
      'number',
      ...rows.map(([number]) => number),
    ]);
    resolve();
    await untilBatch(id, ({ answered }) => answered > 0);
    expect(await states()).toHaveLength(rows.length);
    await untilBatch(id, ({ state }) => state === 'completed');
    const whole = [
      ['number', 'text', 'Answer', 'Problem'],
      ...rows.map(([number = '', text = '']) => [number, text, `${number} held`, '']),
    ];
    expect(await recordsOf(id)).toEqual(whole);
    const [workbook] = await readWorkbook(
      Buffer.from(await (await download(id, 'xlsx')).arrayBuffer()),
    );
    expect(workbook?.data.map((cells) => cells.map((cell) => cell ?? ''))).toEqual(whole);
  });

  it('closes a file whose client left before it is read, or asked for its headers only', async () => {
    const file = await sheetOf([['number'], ['1']]);
    const id = await endedBatch(file, '{{number}}');
    const { ctx } = server.app;
    const opened: Readable[] = [];
    const { open: openFile } = ctx.files;
    const open = async (key: string) => {
      const stream = await openFile(key);
      opened.push(stream);
      return stream;
    };
    const watched = { ...ctx, files: { ...ctx.files, open } };
    const request = { file: id, unchanged: true } as CallRequest<'downloadChatGptResponse'>;
    const { content } = await downloadResults(watched, actingOf(client), {
      ...request,
      format: 'csv',
    });
    (content as Readable).destroy();
    await until(() => opened[0]?.closed === true);

    ctx.files.open = open;
    const path = endpoints.downloadUploadedCsv.path.replace('{id}', file);
    const headers = { authorization: `Bearer ${client.token}` };
    const answer = await fetch(server.app.url + path, { method: 'HEAD', headers });
    ctx.files.open = openFile;
    expect(answer.headers.get('content-disposition')).toContain('sheet.csv');
    await until(() => opened[1]?.closed === true);
    expect(opened[1]?.readableDidRead).toBe(false);
  });

  it('leaves no open handle when the download is cancelled', async () => {
    const file = await sheetOf([['number', 'text'], ...rows]);
    const id = await startBatch(file, '{{number}} held');
    await server.call('stopFileProcessing', { id }, client);
    const cancel = async (response: Response) => {
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
    };
    await cancel(await download(id));
    const before = openHandles();
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 5 }, () => download(id).then(cancel)));
      await Promise.all(Array.from({ length: 5 }, () => download(id, 'xlsx').then(cancel)));
      await Promise.all(
        Array.from({ length: 5 }, () =>
          server.download('downloadUploadedCsv', { id: file }, client).then(cancel),
        ),
      );
    }
    // Connections of the database and callers vary; a leak would leave a hundred files for each
    // kind of download.
    await expect.poll(openHandles).toBeLessThan(before + 60);
  });
});
