// size: one server for the whole life of a batch

import { modelOptions, reasoningEfforts } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { batchToRunAgainIsGone } from '../../src/texts/batches.ts';
import { whenEnded, whenReleased } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const { chat, settings } = await startChat();
const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '8' });
const client = await createUser(server, { submissions: 1000 });

const balance = () => server.balance(client);
const ask = (query: object, questionWithVariable?: string, headers = {}) =>
  server.ask(
    { query, ...(questionWithVariable ? { questionWithVariable } : {}) },
    { token: client.token, headers },
  );

/** The rate limit allows ten uploads a minute, so the clock moves on. */
async function sheetOf(csv: string): Promise<string> {
  server.clock.advance(10_000);
  const { status, body } = await server.upload(csv, client);
  expect(status).toBe(200);
  return body.file.id;
}

const csvOf = (prompts: string[]) =>
  `Number,Prompt\n${prompts.map((prompt, index) => `00${index},${prompt}`).join('\n')}\n`;

describe('a batch', () => {
  it('goes from upload through quote, preview and start to a file with every original column', async () => {
    const before = await balance();
    const file = await sheetOf(csvOf(['one', 'two', '[[status 400]]', 'two', '']));
    const question = 'Say {{Prompt}}';
    const quote = (await ask({ file, quote: true }, '{{Prompt}}')).body.quote;
    expect(quote).toMatchObject({
      rows: 5,
      blank: 1,
      duplicates: 1,
      answered: 0,
      needed: 4,
      available: before,
    });
    const preview = await ask({ file, preview: 2 }, question);
    expect(preview.body.answers).toEqual([
      { row: 0, prompt: 'Say one', answer: 'Answer to: Say one', problem: null },
      { row: 1, prompt: 'Say two', answer: 'Answer to: Say two', problem: null },
    ]);
    expect(await balance()).toBe(before - 2);
    expect((await ask({ file, quote: true }, question)).body.quote).toMatchObject({
      answered: 2,
      previewed: [
        { row: 0, answer: 'Answer to: Say one' },
        { row: 1, answer: 'Answer to: Say two' },
      ],
    });
    const { tokens } = (await ask({ file, quote: true }, question)).body.quote ?? {};
    // Two rows are left; each of the tried ones took a few tokens.
    expect(tokens?.low).toBeGreaterThan(0);
    expect(tokens?.expected).toBeGreaterThan(tokens?.low ?? 0);
    expect(tokens?.high).toBeGreaterThan(tokens?.expected ?? 0);
    const started = await ask({ file, start: true }, question);
    const { id } = started.body.batch ?? { id: '' };
    const ended = await whenEnded(server, client, id);
    expect(ended).toMatchObject({
      state: 'completed',
      rows: 5,
      answered: 3,
      failed: 1,
      skipped: 1,
      charged: 3,
      held: 0,
    });
    expect(ended.receipt).toEqual({ answered: 3, failed: 1, skipped: 1, charged: 3, returned: 1 });
    expect(await balance()).toBe(before - 3);
    const asked = chat.calls
      .filter(({ prompt }) => prompt.startsWith('Say'))
      .map(({ prompt }) => prompt);
    expect(asked.toSorted()).toEqual(['Say [[status 400]]', 'Say one', 'Say two', 'Say two']);
    const used = chat.calls
      .filter(({ prompt }) => prompt.startsWith('Say'))
      .reduce((sum, { tokens }) => sum + tokens, 0);
    expect((ended.tokens?.input ?? 0) + (ended.tokens?.output ?? 0)).toBe(used);
    const { rows: shown } = (await server.call('getRows', { id }, client)).body;
    expect(shown.map(({ answered_by: by }: { answered_by: string | null }) => by)).toEqual([
      expect.stringMatching(/^\S+ at 127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^\S+ at 127/),
      null,
      expect.stringMatching(/^\S+ at 127/),
      null,
    ]);
    expect(shown[0]).toMatchObject({ tokens: { input: 2, cached: 0, output: 5, reasoning: 1 } });
    const counted = await server.download(
      'downloadChatGptResponse',
      { file: id, tokens: true },
      client,
    );
    expect((await counted.text()).split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(/Input tokens,Cached tokens,Output tokens,Reasoning tokens$/),
      expect.stringMatching(/,2,0,5,1$/),
    ]);
    const text = await (
      await server.download('downloadChatGptResponse', { file: id }, client)
    ).text();
    const lines = text.split('\r\n');
    expect(lines.slice(0, 3)).toEqual([
      'Number,Prompt,Answer,Problem',
      '000,one,Answer to: Say one,',
      '001,two,Answer to: Say two,',
    ]);
    expect(lines[3]).toContain('002,[[status 400]],,');
    const original = await server.download('downloadUploadedCsv', { id: file }, client);
    expect(await original.text()).toBe(csvOf(['one', 'two', '[[status 400]]', 'two', '']));
  });

  it('needs neither a template nor a header when the sheet is a list of prompts', async () => {
    const file = await sheetOf('What is the largest planet?\nWhat is the smallest planet?\n');
    const { body } = await ask({ file, start: true });
    const ended = await whenEnded(server, client, body.batch?.id ?? '');
    expect(ended).toMatchObject({ state: 'completed', answered: 2, columns: ['Prompt'] });
    const { rows, total } = (await server.call('getRows', { id: ended.id }, client)).body;
    expect(total).toBe(2);
    expect(rows[1]).toMatchObject({
      row: 1,
      prompt: 'What is the smallest planet?',
      state: 'answered',
    });
  });

  it('needs a template when braces keep the only column from being filled in', async () => {
    const file = await sheetOf('Prompt {short}\none\n');
    const fields = { questionWithVariable: expect.any(String) };
    for (const template of [undefined, '{{Prompt {short}}}'])
      expect(await ask({ file, start: true }, template)).toMatchObject({
        status: 422,
        body: { fields },
      });
  });

  it.each([{}, { quote: true, start: true }, { preview: 1, start: true }])(
    'is neither tried nor started with %o, which asks for none or two of them',
    async (query) => {
      const file = await sheetOf('Prompt\none\n');
      const { status, body } = await ask({ file, ...query });
      expect([status, body]).toEqual([
        422,
        expect.objectContaining({ fields: { query: expect.stringContaining('exactly one') } }),
      ]);
    },
  );

  it('runs or tries no other rows when one of them is not in the sheet', async () => {
    const file = await sheetOf('Prompt\none\ntwo\n');
    const fields = { 'query.rows': expect.stringContaining('last row of the sheet is 1:') };
    for (const action of [{ start: true }, { preview: 1 }])
      expect((await ask({ file, rows: [1, 2], ...action })).body).toMatchObject({ fields });
  });

  it('sends nothing more after a stop and returns the unused submissions', async () => {
    const before = await balance();
    const file = await sheetOf(
      csvOf(Array.from({ length: 100 }, (_, index) => `stop ${index} [[held]]`)),
    );
    const { body } = await ask({ file, start: true }, '{{Prompt}}');
    const id = body.batch?.id ?? '';
    expect(await balance()).toBe(before - 100);
    await expect.poll(() => chat.inFlight).toBe(8);
    const stopped = (await server.call('stopFileProcessing', { id }, client)).body.batch;
    expect(stopped.state).toBe('stopped');
    const calls = () => chat.calls.filter(({ prompt }) => prompt.startsWith('stop')).length;
    const callsAtStop = calls();
    chat.releaseHeld();
    const ended = await whenEnded(server, client, id);
    expect(calls()).toBe(callsAtStop);
    expect(await balance()).toBe(before - ended.answered);
    expect(ended.receipt).toMatchObject({
      charged: ended.answered,
      returned: 100 - ended.answered,
    });
    expect((await server.call('playOrPause', { id, status: 'play' }, client)).status).toBe(409);
  });

  it('returns the submissions of rows that no worker has when it is stopped', async () => {
    const rows = 700;
    const before = await balance();
    const file = await sheetOf(
      csvOf(Array.from({ length: rows }, (_, index) => `wait ${index} [[slow 60000]]`)),
    );
    const { body } = await ask({ file, start: true }, '{{Prompt}}');
    const id = body.batch?.id ?? '';
    await expect.poll(() => chat.inFlight).toBeGreaterThan(0);
    const stopped = (await server.call('stopFileProcessing', { id }, client)).body.batch;
    // A worker has a few slices; the others wait in the queue.
    expect(stopped.held).toBeGreaterThan(0);
    expect(stopped.held).toBeLessThan(rows);
    expect(await balance()).toBe(before - stopped.held);
    await whenEnded(server, client, id);
    expect(await balance()).toBe(before);
  });

  it('says in the quote which tried rows run again when others are left out', async () => {
    const file = await sheetOf(csvOf(['one', 'two', 'three', 'four']));
    const question = 'Repeat {{Prompt}}';
    const quoteOf = async (query: object) =>
      (await ask({ file, quote: true, ...query }, question)).body.quote;
    await ask({ file, preview: 3, rows: [0, 1, 3] }, question);
    expect(await quoteOf({})).toMatchObject({ answered: 3, needed: 1, paid_again: null });
    expect(await quoteOf({ limit: 2 })).toMatchObject({
      answered: 0,
      needed: 2,
      paid_again: { rows: 2, left_out: [3] },
    });
    expect(await quoteOf({ rows: [2] })).toMatchObject({ needed: 1, paid_again: null });
  });

  it('shows in the usage of its day, like previews and single prompts', async () => {
    const hour = 3_600_000;
    const now = server.clock.now().getTime();
    const days = [now - 24 * hour, now].map((at) => new Date(at).toISOString());
    const usage = async () => (await server.call('getUsage', { days }, client)).body;
    const [before, spent] = [await usage(), (await balance()) - 1];
    const file = await sheetOf(csvOf(['first', 'second', '[[status 413]]']));
    await ask({ file, preview: 1 }, 'Use {{Prompt}}');
    const { batch } = (await ask({ file, start: true }, 'Use {{Prompt}}')).body;
    await whenEnded(server, client, batch?.id ?? '');
    await whenReleased(server, batch?.id ?? '');
    await server.ask({ question: 'And this?', query: {} }, client);
    expect(spent - (await balance())).toBe(2);
    expect(await usage()).toMatchObject({
      charged: [before.charged[0], (before.charged[1] ?? 0) + 3],
      answered: before.answered + 3,
      failed: before.failed + 1,
    });
    const [later, earlier] = days.toReversed();
    const unordered = { days: [later ?? '', earlier ?? ''] };
    expect((await server.call('getUsage', unordered, client)).body.fields).toEqual({
      days: 'The days must be in order.',
    });
  });

  it('retries only the failed rows', async () => {
    const file = await sheetOf(csvOf(['fine', 'again [[status 422]]', 'good']));
    const { body } = await ask({ file, start: true }, '{{Prompt}}');
    const id = body.batch?.id ?? '';
    expect(await whenEnded(server, client, id)).toMatchObject({
      answered: 2,
      failed: 1,
      actions: ['download', 'retryFailed', 'changeOptions', 'delete'],
    });
    await whenReleased(server, id);
    const calls = chat.calls.length;
    server.clock.advance(60 * 60_000);
    expect((await server.call('retryFailed', { id }, client)).body.batch).toMatchObject({
      state: 'running',
      failed: 0,
      run_seconds: null,
    });
    const retried = await whenEnded(server, client, id);
    expect(retried).toMatchObject({ state: 'completed', answered: 2, failed: 1, charged: 2 });
    // Of three rows, not of four calls.
    expect(retried.receipt).toMatchObject({ charged: 2, returned: 1 });
    // The hour before the retry does not count, and is no reason for an email.
    expect(retried.run_seconds).toBeLessThan(60);
    expect(chat.calls.length).toBe(calls + 1);
    expect((await server.call('deleteBatch', { id }, client)).status).toBe(200);
    expect((await server.call('getBatch', { id }, client)).status).toBe(404);
    expect((await server.download('downloadUploadedCsv', { id: file }, client)).status).toBe(404);
  });

  it('says what a stop returned, without what came back before a retry', async () => {
    const file = await sheetOf(csvOf(['kept [[held]]']));
    chat.behave({ status: 422 });
    const { body } = await ask({ file, start: true }, '{{Prompt}}');
    const id = body.batch?.id ?? '';
    const { receipt } = await whenEnded(server, client, id);
    expect(receipt).toMatchObject({ failed: 1, returned: 1 });
    await whenReleased(server, id);
    chat.behave({ status: null });
    expect((await server.call('retryFailed', { id }, client)).status).toBe(200);
    await expect.poll(() => chat.inFlight).toBe(1);
    // Its only row is in flight.
    const stopped = (await server.call('stopFileProcessing', { id }, client)).body;
    expect(stopped).toMatchObject({ message: 'Batch stopped.', batch: { held: 1 } });
    chat.releaseHeld();
    const ended = await whenEnded(server, client, id);
    expect(ended).toMatchObject({ answered: 1, charged: 1, receipt: { returned: 0 } });
  });

  it('runs all rows, failed rows, rows not run or listed rows again as a new batch of the kept sheet', async () => {
    const file = await sheetOf(csvOf(['one', '[[status 400]]', 'three', 'four', 'five']));
    const question = 'Say {{Prompt}}';
    const first = await ask({ file, start: true, limit: 4 }, question);
    const { id } = first.body.batch ?? { id: '' };
    expect(await whenEnded(server, client, id)).toMatchObject({ answered: 3, failed: 1 });
    const quoted = async (rows: string | number[] | object) =>
      (await ask({ file, quote: true, again: { batch: id, rows } }, question)).body.quote;
    expect(await quoted('all')).toMatchObject({ rows: 4, needed: 4 });
    expect(await quoted('failed')).toMatchObject({ rows: 1, needed: 1, selected: [1] });
    expect(await quoted([3, 0, 4])).toMatchObject({ rows: 2, needed: 2, selected: [0, 3] });
    const found = { filter: 'answered', search: '', conditions: [] };
    expect(await quoted(found)).toMatchObject({ rows: 3 });
    expect(await quoted({ ...found, except: [2, 1, 9] })).toMatchObject({ rows: 2, needed: 2 });
    const both = { file, quote: true, again: { batch: id, rows: found }, rows: [1, 2] };
    expect((await ask(both, question)).body.quote).toMatchObject({ rows: 1, selected: [2] });
    const nothing = await ask({ file, quote: true, again: { batch: id, rows: 'not_run' } });
    expect(nothing.status).toBe(422);
    const trial = { file, preview: 1, again: { batch: id, rows: 'failed' } };
    expect((await ask(trial, 'Try {{Number}}')).body.answers).toMatchObject([{ row: 1 }]);

    const corrected = 'Please say {{Number}}';
    const again = { batch: id, rows: 'failed' as const };
    const key = { 'idempotency-key': 'run-again' };
    const start = () => ask({ file, start: true, again }, corrected, key);
    const before = await balance();
    const started = (await start()).body.batch;
    expect((await start()).body.batch?.id).toBe(started?.id);
    expect(started?.id).not.toBe(id);
    const name = first.body.batch?.name.replace('.csv', '');
    expect(started?.name).toBe(`${name} (again).csv`);
    expect(await whenEnded(server, client, started?.id ?? '')).toMatchObject({
      rows: 1,
      receipt: { answered: 1, failed: 0, skipped: 0, charged: 1, returned: 0 },
    });
    expect(await balance()).toBe(before - 1);
    const { rows } = (await server.call('getRows', { id: started?.id ?? '' }, client)).body;
    expect(rows).toMatchObject([{ row: 1, answer: 'Answer to: Please say 001' }]);
    const linked = await server.call('getRows', { id: started?.id ?? '', row: 1 }, client);
    expect(linked.body).toMatchObject({ start: 0, rows: [{ row: 1 }] });
    for (const [batch, time] of [
      [id, 2],
      [started?.id ?? '', 3],
    ] as const) {
      const more = await ask({ file, start: true, again: { batch, rows: 'all' } }, corrected);
      expect(more.body.batch?.name).toBe(`${name} (again ${time}).csv`);
    }

    const stranger = await createUser(server);
    const stolen = { questionWithVariable: corrected, query: { file, quote: true, again } };
    expect((await server.ask(stolen, stranger)).status).toBe(404);
    const other = await sheetOf(csvOf(['one']));
    expect((await ask({ file: other, quote: true, again }, question)).status).toBe(404);
    const { body } = await ask({ file, start: true, again: { batch: id, rows: 'all' } }, question);
    const last = body.batch?.id ?? '';
    await whenEnded(server, client, last);
    await server.call('deleteBatch', { id: last }, client);
    const gone = await ask({ file, quote: true, again: { batch: last, rows: 'all' } }, question);
    expect([gone.status, gone.body.message]).toEqual([404, batchToRunAgainIsGone]);
  });

  it('appears in the history', async () => {
    const recent = (await server.call('recentQuestions', {}, client)).body.questions;
    expect(recent.map(({ question }) => question)).toContain('Say {{Prompt}}');
    const all = (await server.call('getQuestionsAsked', { limit: 3 }, client)).body;
    expect(all.questions).toHaveLength(3);
    // The answers of a batch are in its result file.
    expect(all.questions[0]).toMatchObject({ answer: null, problem: null, charged: null });
    expect(all.total).toBeGreaterThan(3);
    const list = (await server.call('getProcessedFiles', { state: 'completed', limit: 1 }, client))
      .body;
    expect(list.files).toHaveLength(1);
    expect(list.counts.completed).toBe(list.total);
    const { body } = await server.call(
      'renameBatch',
      { id: list.files[0]?.id ?? '', name: ' Aa ' },
      client,
    );
    expect(body.batch?.name).toBe('Aa');
    const byName = await server.call('getProcessedFiles', { sort: 'name', search: 'aa' }, client);
    expect(byName.body.files[0]?.name).toBe('Aa');
    expect(byName.body.counts).toMatchObject({ completed: 1, running: 0 });
    const stranger = await createUser(server);
    const foreign = { id: list.files[0]?.id ?? '', name: 'Mine' };
    expect((await server.call('renameBatch', foreign, stranger)).status).toBe(404);
    expect((await server.call('renameBatch', { ...foreign, name: ' ' }, client)).status).toBe(422);
  });
});

it('every prompt is in the history, and a search says how many of the newest it compared', async () => {
  const person = await createUser(server);
  const { id } = person;
  await sql`
    insert into single_prompts (id, user_id, actor_id, template, rows, state, asked_at)
    select ${id} || n, ${id}, ${id}, 'Prompt ' || n || '.', 1, 'failed', now() - make_interval(secs => n)
    from generate_series(1, 1200) n`.execute(server.app.ctx.db);
  const oldest = (await server.call('getQuestionsAsked', { start: 1_100, limit: 100 }, person))
    .body;
  expect(oldest).toMatchObject({ total: 1_200 });
  expect(oldest.questions.at(-1)?.question).toBe('Prompt 1200.');
  expect(oldest).not.toHaveProperty('searched');
  const found = await server.call('getQuestionsAsked', { search: 'Prompt 1200.' }, person);
  expect(found.body).toMatchObject({ questions: [], searched: { prompts: 1_000 } });
});

describe('a single prompt', () => {
  it.each([{ quote: true }, { start: true }, { preview: 2 }, { limit: 3 }])(
    'is refused with %o, which needs a sheet, and charges nothing',
    async (query) => {
      const before = await balance();
      const { status, body } = await ask(query, 'Say hello');
      expect(status).toBe(422);
      expect(body).toMatchObject({ fields: { 'query.file': expect.stringContaining('sheet') } });
      expect(await balance()).toBe(before);
    },
  );

  it('costs one submission when it is answered and nothing when it fails', async () => {
    const before = await balance();
    const answered = await server.ask({ question: 'Why?', query: {} }, client);
    expect(answered.body).toMatchObject({
      answer: 'Answer to: Why?',
      creditsAvailable: before - 1,
    });
    const failed = await server.ask({ question: 'No [[empty]]', query: {} }, client);
    expect(failed.status).toBe(502);
    expect(await balance()).toBe(before - 1);
    const asked = (await server.call('getQuestionsAsked', { limit: 2 }, client)).body.questions;
    expect(asked).toMatchObject([
      { question: 'No [[empty]]', answer: null, charged: 0 },
      { question: 'Why?', answer: 'Answer to: Why?', problem: null, charged: 1 },
    ]);
    expect(asked[0]?.problem).toBe(failed.body.message);
    const long = `Long [[empty]] ${'x'.repeat(2_000)}`;
    await server.ask({ question: long }, client);
    const [cut] = (await server.call('getQuestionsAsked', { limit: 1 }, client)).body.questions;
    expect(cut).toMatchObject({ question: long.slice(0, 1_000), is_question_cut: true });
    const recent = (await server.call('recentQuestions', {}, client)).body.questions;
    expect(recent.map(({ question }) => question.slice(0, 6))).not.toContain('Long [');
    const refused = await server.ask({ question: '[[status 400]]' }, client);
    expect(refused.body.message).toMatch(/ 400 Bad Request\. Nothing was charged\.$/);
  });
});

describe('saved variables', () => {
  it('are stored, used beside the columns, and removed by an empty value', async () => {
    await server.call('saveVariable', { variable: { name: 'tone', value: 'kindly' } }, client);
    expect((await server.call('getVariables', {}, client)).body.variables).toEqual([
      { name: 'tone', value: 'kindly' },
    ]);
    const file = await sheetOf(csvOf(['smile']));
    const { body } = await ask({ file, preview: 1 }, 'Do {{tone}} {{Prompt}}');
    expect(body.answers?.[0]?.prompt).toBe('Do kindly smile');
    const missing = await ask({ file, quote: true }, '{{nothing}}');
    expect(missing.body).toMatchObject({
      code: 'invalid_input',
      fields: { questionWithVariable: expect.stringContaining('{{nothing}}') },
    });
    const single = await ask({}, 'Smile {{tone}}');
    expect(single.body.answer).toBe('Answer to: Smile kindly');
    expect(await ask({}, 'Smile {{nothing}}')).toMatchObject({
      status: 422,
      body: { fields: { questionWithVariable: expect.stringContaining('{{nothing}}') } },
    });
    await server.call('saveVariable', { variable: { name: 'tone', value: '' } }, client);
    expect((await server.call('getVariables', {}, client)).body.variables).toEqual([]);
  });

  it('change nothing where a column takes their place, also in other letters', async () => {
    const save = (value: string) =>
      server.call('saveVariable', { variable: { name: 'PROMPT', value } }, client);
    await save('first');
    const file = await sheetOf(csvOf(['smile', 'wave']));
    const { body } = await ask({ file, preview: 1 }, 'Please {{PROMPT}}');
    expect(body.answers?.[0]?.prompt).toBe('Please smile');
    await save('second');
    const { quote } = (await ask({ file, quote: true }, 'Please {{PROMPT}}')).body;
    expect(quote).toMatchObject({ answered: 1, needed: 1 });
    await save('');
  });

  it('are at most 200, also when several are saved at once', async () => {
    const person = await createUser(server);
    const names = Array.from({ length: 198 }, (_, index) => `saved ${index}`);
    await server.app.ctx.db
      .insertInto('variables')
      .values(names.map((name) => ({ user_id: person.id, name, value: 'x' })))
      .execute();
    const save = (name: string) =>
      retryWhileBusy(() => server.call('saveVariable', { variable: { name, value: 'y' } }, person));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => save(`new ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const { variables } = (await server.call('getVariables', {}, person)).body;
    expect(variables).toHaveLength(200);
  });
});

it('lists its models', async () => {
  const { models } = (await server.call('getModels', {}, client)).body;
  expect(models[0]).toEqual({
    id: 'fake',
    label: 'fake',
    submissions_per_row: 1,
    is_demo: false,
    price_tokens: null,
    answer_tokens: null,
    options: modelOptions,
    reasoning_efforts: reasoningEfforts,
    response_format: null,
  });
});

it('costs one submission with a model that its provider names like a member of objects', async () => {
  const names = ['__proto__', 'constructor'];
  const { settings } = await startChat({ models: names });
  const odd = await startTestServer(settings);
  const person = await createUser(odd, { submissions: 10 });
  const { models } = (await odd.call('getModels', {}, person)).body;
  const priced = models.map(({ id, submissions_per_row }) => [id, submissions_per_row]);
  expect(priced).toEqual(expect.arrayContaining(names.map((name) => [name, 1])));
  const { id } = (await odd.upload('Prompt\none\n', person)).body.file;
  for (const model of names) {
    const query = { file: id, model, quote: true };
    const { body } = await odd.ask({ question: '{{Prompt}}', query }, person);
    expect(body.quote?.needed).toBe(1);
  }
});
