import type { Output, RowCondition, RowFilter, RowSearch } from '@rowmill/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { findRows } from '../../src/domains/batches/results/find-rows.ts';
import { type BatchRow, findBatch } from '../../src/domains/batches/store/batches.ts';
import { whenEnded, whenReleased } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

const { chat, settings } = await startChat();
const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '8' });
const client = await createUser(server, { submissions: 1_000 });
const rows = [
  'Zürich,10,Blue "deep" lake',
  'aachen,9,',
  'Äthen,1.200,[[status 400]]',
  'Bern,"1,200",two\\lines',
  'Cork,n/a,blue',
];
/** The rate limit allows ten uploads a minute. */
beforeEach(() => server.clock.advance(60_000));

const quoted = (line: string) => line.replace(/Blue "deep" lake/, '"Blue ""deep"" lake"');
const { file, batch } = await run(`City,People,Remark\n${rows.map(quoted).join('\n')}\n`);

async function run(csv: string, outputs: Output[] = []) {
  const { body } = await server.upload(csv, client);
  const { body: started } = await server.ask(
    {
      questionWithVariable: 'Describe {{City}} {{Remark}}',
      query: { file: body.file.id, start: true, outputs },
    },
    client,
  );
  const { id } = await whenEnded(server, client, started.batch?.id ?? '');
  return { file: body.file.id, batch: id };
}

const getRows = async (request: object) =>
  (await server.call('getRows', { id: batch, ...request }, client)).body;
const rowsOf = async (request: object) => {
  const { rows, total } = await getRows(request);
  expect(total).toBe(rows.length);
  return rows.map(({ row }) => row);
};
const where = (column: string, is: RowCondition['is'], value = '') => ({
  conditions: [{ column, is, value }],
});

describe('the rows of a batch', () => {
  it.each([
    ['a sheet column that contains a text in any case', where('sheet 0', 'contains', 'ZÜR'), [0]],
    ['a text with quotes', where('sheet 2', 'contains', '"deep"'), [0]],
    ['a text with a backslash', where('sheet 2', 'contains', 'o\\l'), [3]],
    ['an equal cell', where('sheet 2', 'equals', 'blue'), [4]],
    ['an empty cell', where('sheet 2', 'empty'), [1]],
    ['a filled cell', where('sheet 2', 'filled'), [0, 2, 3, 4]],
    ['an answer', where('answer 0', 'contains', 'describe bern'), [3]],
    ['an answer with other letters', where('answer 0', 'contains', 'ZÜRICH'), [0]],
    ['an answer with a letter like k', where('answer 0', 'contains', 'cork B'), [4]],
    ['an answer with a percent sign', where('answer 0', 'contains', 'r%s'), []],
    ['an equal answer', where('answer 0', 'equals', 'Answer to: Describe Cork blue'), [4]],
    ['a filled answer', where('answer 0', 'filled'), [0, 1, 3, 4]],
    ['rows without an answer', where('answer 0', 'empty'), [2]],
    ['a state', where('state', 'equals', 'failed'), [2]],
    ['a problem', where('problem', 'filled'), [2]],
    ['any column', { search: 'BLUE' }, [0, 4]],
    ['a number of the sheet', { search: '1.2' }, [2]],
    ['answers alone', { search: 'answer to: describe c' }, [4]],
    ['a search among the answered rows', { search: 'a', filter: 'failed' }, [2]],
    ['a search beyond ASCII', { search: 'ÄTHEN' }, [2]],
    ['a search and an answer', { search: 'BLUE', ...where('answer 0', 'contains', 'cork') }, [4]],
    ['a search without an answer', { search: '400', ...where('answer 0', 'empty') }, [2]],
    [
      'a state and a column',
      { filter: 'answered', ...where('sheet 2', 'contains', 'e') },
      [0, 3, 4],
    ],
    ['waiting rows', { filter: 'waiting', search: 'a' }, []],
    [
      'two conditions',
      {
        conditions: [
          { column: 'sheet 2', is: 'contains', value: 'blue' },
          { column: 'row', is: 'equals', value: '5' },
        ],
      },
      [4],
    ],
  ])('are found by %s', async (_, request, rows) => {
    expect(await rowsOf(request)).toEqual(rows);
  });

  it.each([
    ['sheet 0', 'ascending', [1, 2, 3, 4, 0]],
    ['sheet 0', 'descending', [0, 4, 3, 2, 1]],
    ['sheet 1', 'ascending', [2, 1, 0, 3, 4]],
    ['sheet 2', 'ascending', [2, 4, 0, 3, 1]],
    ['sheet 2', 'descending', [3, 0, 4, 2, 1]],
    ['sheet 0', 'longest', [0, 1, 2, 3, 4]],
    ['sheet 2', 'shortest', [1, 4, 3, 2, 0]],
    ['answer 0', 'descending', [0, 4, 3, 1, 2]],
    ['state', 'descending', [2, 0, 1, 3, 4]],
    ['row', 'descending', [4, 3, 2, 1, 0]],
  ])('are sorted by %s %s', async (column, order, rows) => {
    expect(await rowsOf({ sort: { column, order } })).toEqual(rows);
  });

  it('are paged in their order, with the rows before and after', async () => {
    const sort = { column: 'sheet 0', order: 'descending' };
    const page = async (start: number) => {
      const { rows, total } = await getRows({ sort, start, limit: 2 });
      expect(total).toBe(5);
      return rows.map(({ row }) => row);
    };
    expect([await page(0), await page(2), await page(4), await page(6)]).toEqual([
      [0, 4],
      [3, 2],
      [1],
      [],
    ]);
  });

  it.each([
    ['all rows', {}, 2, 2],
    ['sorted rows', { sort: { column: 'row', order: 'descending' } }, 3, 1],
    ['found rows', { search: 'BLUE' }, 4, 1],
    ['filtered rows', { filter: 'answered' }, 3, 2],
  ])('are found by number among %s', async (_, list, row, start) => {
    const all = await getRows(list);
    const found = await getRows({ ...list, row, limit: 1 });
    expect(found).toMatchObject({ start, rows: [{ row }] });
    expect(all.rows[start]?.row).toBe(row);
  });

  it('are not found by number in a list that lacks them', async () => {
    const list = { id: batch, filter: 'answered', row: 2 } as const;
    expect((await server.call('getRows', list, client)).status).toBe(404);
  });

  it('are counted by value, with and without a search', async () => {
    const outputs: Output[] = [{ name: 'Kind', type: 'choice', options: ['a', 'b'] }];
    // An accent may be a mark after its letter.
    const cities = ['yy', 'yyy', '\u00e9', 'yy', 'yyy', 'e\u0301'];
    const names = Array.from({ length: 60 }, (_, index) => `${cities[index % 6]},${index}`);
    const typed = await run(`City,Remark\n${names.join('\n')}\n`, outputs);
    const counted = async (request: object) =>
      (await server.call('getRows', { id: typed.batch, limit: 1, ...request }, client)).body.values;
    const values = (await counted({ count: 'answer 0' })) ?? [];
    expect(values.map(({ value }) => value).sort()).toEqual(['a', 'b']);
    expect(values.reduce((sum, { rows }) => sum + rows, 0)).toBe(60);
    expect(await counted({ count: 'sheet 0', search: 'yy' })).toEqual([
      { value: 'yy', rows: 20 },
      { value: 'yyy', rows: 20 },
    ]);
    expect(await counted({ count: 'sheet 1' })).toBeNull();
    const sorted = { ...where('answer 0', 'filled'), sort: { column: 'answer 0' } };
    expect(await counted({ count: 'sheet 0', ...sorted })).toHaveLength(3);
    expect(await counted({ count: 'sheet 1', ...sorted })).toBeNull();
    const one = where('answer 0', 'equals', values[0]?.value);
    expect((await server.call('getRows', { id: typed.batch, ...one }, client)).body.total).toBe(
      values[0]?.rows,
    );
  });

  it('are found by their split answers, however the model wrote them', async () => {
    const answers = [
      '{"Kind":"oak","Remark":"plain words"}',
      '{"Kind":"oak","Remark":"caf\\u00e9 \\"5\\""}',
      '{"Kind":"oak","Remark":{ "a": [1.50] }}',
      'Here: {"kind":"Oak","remark":"Loud Words"}',
      'no columns at all',
      '{"Kind":"oak","Remark":"cut\u001fapart"}',
      `{"Remark":"At ${'length '.repeat(9_000)}","Kind":"ash"}`,
    ];
    const names = answers.map((_, index) => `Town ${index},x`);
    const typed = await run(`City,Remark\n${names.join('\n')}\n`, ['Kind', 'Remark']);
    for (const [row, answer] of answers.entries())
      await server.app.ctx.db
        .updateTable('results')
        .set({ answer })
        .where('batch_id', '=', typed.batch)
        .where('row', '=', row)
        .execute();
    const found = async (column: string, is: RowCondition['is'], value: string) =>
      (await rowsOf({ id: typed.batch, ...where(column, is, value) })).join();
    expect(await found('answer 1', 'contains', 'WORDS')).toBe('0,3');
    expect(await found('answer 1', 'contains', 'café "5')).toBe('1');
    expect(await found('answer 1', 'contains', '[1.5]')).toBe('2');
    expect(await found('answer 1', 'equals', 'Loud Words')).toBe('3');
    expect(await found('answer 1', 'contains', 'apart')).toBe('5');
    expect(await found('answer 0', 'contains', 'columns')).toBe('4');
    expect(await found('answer 0', 'equals', 'oak')).toBe('0,1,2,5');
    expect(await found('answer 0', 'contains', 'ash')).toBe('6');
    expect(await found('answer 1', 'contains', 'at length')).toBe('6');
    const { values } = await getRows({ id: typed.batch, count: 'answer 0' });
    expect(values?.map(({ value, rows }) => `${value} ${rows}`)).toEqual([
      'oak 4',
      'Oak 1',
      'no columns at all 1',
      'ash 1',
    ]);
  });

  it('are found by letters whose accents are stored apart', async () => {
    const apart = 'Zürich 각'.normalize('NFD');
    const outputs = ['Kind', 'Remark'];
    const plain = await run(`City,Remark\n${apart},${apart}\nBern,x\n`);
    const split = await run(`City,Remark\n${apart},x\nBern,x\n`, outputs);
    const write = (id: string, answer: string) =>
      server.app.ctx.db
        .updateTable('results')
        .set({ answer, note: apart })
        .where('batch_id', '=', id)
        .where('row', '=', 0)
        .execute();
    await write(plain.batch, apart);
    await write(split.batch, JSON.stringify({ Kind: 'x', Remark: apart }));
    for (const [id, column] of [
      [plain.batch, 'sheet 0'],
      [plain.batch, 'answer 0'],
      [plain.batch, 'note'],
      [split.batch, 'answer 1'],
    ]) {
      expect(await rowsOf({ id, ...where(column ?? '', 'contains', 'zÜRICH 각') })).toEqual([0]);
      expect(await rowsOf({ id, ...where(column ?? '', 'equals', apart) })).toEqual([0]);
    }
    expect(await rowsOf({ id: plain.batch, search: 'zürich' })).toEqual([0]);
    expect(await rowsOf({ id: plain.batch, search: 'zürich x' })).toEqual([]);
  });

  it('are not searched further when the client has gone', async () => {
    const { ctx } = server.app;
    const row = await findBatch(ctx.db, { id: batch, userId: client.id });
    const search: RowSearch = { filter: 'all', search: 'gone', conditions: [] };
    const find = (signal: AbortSignal) => findRows({ ...ctx, signal }, row as BatchRow, { search });
    await expect(find(AbortSignal.abort())).rejects.toThrow();
    expect(await find(new AbortController().signal)).toHaveLength(0);
  });

  it('run again when a search finds them', async () => {
    const rows = { ...where('sheet 2', 'contains', 'blue') };
    const query = { file, quote: true, again: { batch, rows } };
    const ask = (query: object) =>
      server.ask({ questionWithVariable: 'Again {{City}}', query }, client);
    expect((await ask(query)).body.quote).toMatchObject({ rows: 2, needed: 2 });
    const none = { batch, rows: where('sheet 2', 'equals', 'nothing has this') };
    expect((await ask({ ...query, again: none })).status).toBe(422);
  });

  it('are not all empty in a column that does not exist', async () => {
    const rows = where('sheet 3', 'empty');
    const query = { file, start: true, again: { batch, rows } };
    const { body } = await server.ask({ questionWithVariable: 'Again {{City}}', query }, client);
    expect(body).toMatchObject({ fields: { 'sheet 3': expect.stringContaining('from 0') } });
    for (const request of [{ count: 'answer 1' }, { sort: { column: 'answer 1' } }] as const)
      expect((await server.call('getRows', { id: batch, ...request }, client)).status).toBe(422);
  });

  it('are judged, noted and corrected, which filters find and files contain', async () => {
    const judge = (request: object, user = client) =>
      server.call('judgeAnswers', { id: batch, rows: [0], ...request }, user);
    const wrong = await judge({ rows: [0, 1, 2, 99], judgement: 'wrong' });
    expect(wrong.body.rows.map(({ row }) => row)).toEqual([0, 1]);
    expect(wrong.body.batch.judged).toEqual({ right: 0, wrong: 2, later: 0 });
    const correction = ['\u0007Corrected'];
    const right = await judge({ judgement: 'right', note: ' sure ', correction });
    expect(right.body.rows).toEqual([
      { row: 0, judgement: 'right', note: ' sure ', correction: 'Corrected' },
    ]);
    expect(right.body.batch.judged).toEqual({ right: 1, wrong: 1, later: 0 });
    expect(await rowsOf(where('judgement', 'equals', 'wrong'))).toEqual([1]);
    expect(await rowsOf(where('correction', 'filled'))).toEqual([0]);
    expect(await rowsOf(where('answer 0', 'equals', 'Corrected'))).toEqual([0]);
    expect(await rowsOf({ search: 'sure' })).toEqual([0]);
    const { rows } = await getRows({ limit: 1 });
    expect(rows[0]?.answer).toMatch(/^Answer to/);
    const again = { batch, rows: where('judgement', 'equals', 'wrong') };
    const query = { file, quote: true, again };
    const asked = await server.ask({ questionWithVariable: 'x', query }, client);
    expect(asked.body.quote).toMatchObject({ rows: 1 });

    const download = (request: object) =>
      server.download('downloadChatGptResponse', { file: batch, ...request }, client);
    const text = async (request: object) => (await download(request)).text();
    const plain = (await text({ format: 'csv' })).split('\n');
    expect(plain[0]?.trim()).toBe('City,People,Remark,Answer,Problem');
    expect(plain[1]).toContain(',Corrected,');
    const judged = (await text({ format: 'csv', judgements: true })).split('\n');
    expect(judged[0]?.trim()).toMatch(/Problem,Judgement,Note,Original answer$/);
    expect(judged[1]).toMatch(/,Corrected,,right, sure ,/);
    expect(judged[2]).toMatch(/,wrong,,/);
    const json = (await text({ format: 'jsonl', judgements: true })).split('\n')[0] ?? '';
    expect(JSON.parse(json)).toMatchObject({
      answer: 'Corrected',
      judgement: 'right',
      original_answer: rows[0]?.answer,
    });

    expect((await judge({ correction: ['x'.repeat(100_000)] })).status).toBe(200);
    await judge({ judgement: null, note: '', correction: null });
    expect((await getRows({ limit: 1 })).rows[0]).toMatchObject({
      judgement: null,
      note: null,
      correction: null,
    });
    expect((await judge({ rows: [2], judgement: 'right' })).status).toBe(409);
    expect((await judge({ rows: [0, 1], correction: ['x'] })).status).toBe(422);
    const blank = await judge({ correction: [' \n'] });
    expect(blank.body.fields).toEqual({ 'correction.0': 'Must not be empty.' });
    expect((await judge({ judgement: 'maybe' })).status).toBe(422);
    const stranger = await createUser(server);
    expect((await judge({ judgement: 'right' }, stranger)).status).toBe(404);
  });

  it('are judged many at once, and each judgement counts once', async () => {
    const judgements = ['right', 'wrong', 'later'] as const;
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        server.call(
          'judgeAnswers',
          { id: batch, rows: [0, 1, 3], judgement: judgements[index % 3] ?? null },
          client,
        ),
      ),
    );
    const { judged } = (await server.call('getBatch', { id: batch }, client)).body.batch;
    expect(Object.values(judged).toSorted()).toEqual([0, 0, 3]);
  });

  it('are marked, and marks are counted, filtered, exported and run again', async () => {
    const alike = (name: string) =>
      `The lamp ${name} is a great product that fits the whole family and every desk.`;
    const answers = [
      'I’m sorry, but I can’t assist with that request.',
      'Dear [Name], your lamp is on its way.',
      'A warm light for every desk.',
      ...['Ada', 'Bea', 'Cal', 'Dan', 'Eve'].map(alike),
    ];
    chat.behave({ answers });
    const prompts = answers.map((_, index) => `[[answer ${index}]]`);
    const lines = [...prompts, '[[length]]'].map((prompt, index) => `00${index},${prompt}`);
    const { body } = await server.upload(`Number,Prompt\n${lines.join('\n')}\n`, client);
    const file = body.file.id;
    const question = 'Describe the lamp {{Prompt}} {{Number}}';
    const ask = async (query: object) =>
      (await server.ask({ questionWithVariable: question, query }, client)).body;
    const { id = '' } = (await ask({ file, start: true })).batch ?? {};
    const ended = await whenEnded(server, client, id);
    expect(ended).toMatchObject({ answered: 8, failed: 1, marked: 8 });
    expect(ended.mark_counts).toMatchObject({
      refusal: 1,
      placeholder: 1,
      cut_off: 1,
      nearly_identical: 5,
      echo: 0,
    });
    const found = async (filter: RowFilter) => {
      const { body } = await server.call('getRows', { id, filter }, client);
      return [body.total, body.rows.map(({ row }) => row)];
    };
    expect(await found('marked')).toEqual([8, [0, 1, 3, 4, 5, 6, 7, 8]]);
    expect(await found('nearly_identical')).toEqual([5, [3, 4, 5, 6, 7]]);
    expect(await found('cut_off')).toEqual([1, [8]]);
    expect(await found('echo')).toEqual([0, []]);
    const again = { batch: id, rows: 'marked' as const };
    expect((await ask({ file, quote: true, again })).quote).toMatchObject({ rows: 8 });

    const download = async (format: 'csv' | 'jsonl', marks: boolean) =>
      (
        await server.download('downloadChatGptResponse', { file: id, format, marks }, client)
      ).text();
    expect(await download('csv', false)).not.toContain('Marks');
    const written = (await download('csv', true)).split('\r\n');
    expect(written[0]).toBe('Number,Prompt,Answer,Problem,Marks');
    expect([written[2]?.endsWith(',placeholder'), written[3]?.endsWith(',')]).toEqual([true, true]);
    const [first = ''] = (await download('jsonl', true)).split('\n');
    expect(JSON.parse(first)).toMatchObject({ row: 1, marks: ['refusal'] });

    await whenReleased(server, id);
    expect((await server.call('retryFailed', { id }, client)).status).toBe(200);
    expect(await whenEnded(server, client, id)).toMatchObject({
      marked: 8,
      mark_counts: { cut_off: 1, nearly_identical: 5 },
    });
  });

  it('follow a retry: no earlier list is cached', async () => {
    const failed = where('state', 'equals', 'failed');
    const before = await getRows(failed);
    expect(before.rows).toMatchObject([{ row: 2, earlier_problem: null }]);
    expect((await server.call('retryFailed', { id: batch }, client)).status).toBe(200);
    await whenEnded(server, client, batch);
    expect((await getRows(failed)).total).toBe(1);
  });
});
