import { cellsOf, type Output } from '@rowmill/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Db } from '../../src/db/transaction.ts';
import { storedFormats } from '../../src/domains/prompts/model-formats.ts';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { day, hour } from '../../src/lib/clock.ts';
import { BatchClient, whenReleased } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { startTestServer } from '../support/test-server.ts';
import { until } from '../support/waiting.ts';

const { chat, settings } = await startChat();
const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '12' });
const client = await BatchClient.create(server, 10_000);

const outputs: Output[] = [
  { name: 'score', type: 'integer' },
  { name: 'kind', type: 'choice', options: ['praise', 'complaint'] },
];
const promptsOf = (words: string) =>
  chat.calls.map(({ prompt }) => prompt).filter((prompt) => prompt.startsWith(words));

describe.each([
  ['ignores', 'ignored', 'fake-small'],
  ['refuses', 'refused', 'fake-large'],
] as const)('a model that %s response_format', (finding, responseFormat, model) => {
  it('is asked in words, and the finding is stored and shown', async () => {
    chat.behave({ responseFormat });
    onTestFinished(() => chat.behave({ responseFormat: 'obeyed' }));
    const words = [1, 2, 3].map((row) => `${finding} ${row}`);
    const { id } = await client.start(words, { query: { model, outputs } });
    expect(await client.whenEnded(id)).toMatchObject({ answered: 3, charged: 3 });
    const asked = promptsOf(finding).map((prompt) => prompt.includes('- "score": a whole number'));
    expect(asked).toEqual([true, true, true]);
    const { models } = (await server.call('getModels', {}, client.user)).body;
    expect(models).toContainEqual(expect.objectContaining({ id: model, response_format: finding }));
  });

  it('is known to other processes for a day', async () => {
    const { db, clock, log, chat } = server.app.ctx;
    const parts = { db, clock, log, provider: chat.name };
    const tomorrow = { now: () => new Date(clock.now().getTime() + day + 1) };
    expect(await storedFormats(parts).find(model)).toBe(finding);
    expect(await storedFormats({ ...parts, clock: tomorrow }).find(model)).toBeUndefined();
    expect(await storedFormats({ ...parts, provider: 'other' }).find(model)).toBeUndefined();
    // No answer depends on the database that holds the findings.
    const away = storedFormats({ ...parts, db: {} as Db });
    expect([await away.find(model), await away.save(model, 'obeys')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

it('takes only corrections that fit their columns, and files have the answers of both in columns', async () => {
  const typed: Output[] = [
    { name: 'Number', type: 'integer' },
    { name: 'Mood', type: 'choice', options: ['glad', 'sad'], may_be_empty: true },
  ];
  const { id } = await client.start(['correct'], { query: { outputs: typed } });
  await client.whenEnded(id);
  const correct = (...correction: string[]) =>
    server.call('judgeAnswers', { id, rows: [0], correction }, client.user);
  const refused = await correct('many', 'angry');
  expect(refused.body.fields).toEqual({
    'correction.0': 'Must be a whole number.',
    'correction.1': 'Must be one of “glad”, “sad”.',
  });
  expect((await correct('', 'sad')).status).toBe(422);
  for (const texts of [['3'], ['3', 'sad', 'more']])
    expect((await correct(...texts)).body.fields).toEqual({
      correction: 'Send one text for each answer column of the batch: 2.',
    });
  expect((await correct('1,200', 'SAD')).body.rows[0]?.correction).toBe(
    '{"Number":1200,"Mood":"sad"}',
  );
  expect((await correct('3', '')).body.rows[0]?.correction).toBe('{"Number":3,"Mood":null}');
  const [row] = (await server.call('getRows', { id }, client.user)).body.rows;
  const { Number: number, Mood: mood } = JSON.parse(row?.answer ?? '');
  const request = { file: id, judgements: true };
  const file = await server.download('downloadChatGptResponse', request, client.user);
  expect((await file.text()).trim().split(/\r?\n/)).toEqual([
    'Prompt,Number,Mood,Problem,Judgement,Note,Original answer: Number,Original answer: Mood',
    `correct,3,,,,,${number},${mood}`,
  ]);
});

it('shows in a preview what is wrong with the request before anything runs', async () => {
  server.clock.advance(10_000);
  const { body } = await server.upload('Prompt\n[[status 400]]\n[[plain]]\n', client.user);
  const query = { file: body.file.id, preview: 2, outputs };
  const previewed = await server.ask({ questionWithVariable: '{{Prompt}}', query }, client.user);
  expect(previewed.body.answers).toEqual([
    expect.objectContaining({
      answer: null,
      problem: expect.stringContaining('The provider refused this request'),
    }),
    expect.objectContaining({
      answer: 'Plain words, whatever was asked for',
      problem: expect.stringContaining('not split into columns'),
    }),
  ]);
});

it('marks previewed answers, and compares those of the run with them', async () => {
  const same = 'A warm and quiet light that suits each desk, shelf and table of a house.';
  chat.behave({ answers: [same, 'I’m sorry, but I can’t assist with that.'] });
  const rows = [0, 1, 2, 3, 4, 5].map((row) => `lamp ${row} [[answer ${row === 0 ? 1 : 0}]]`);
  server.clock.advance(10_000);
  const { body } = await server.upload(`Prompt\n${rows.join('\n')}\n`, client.user);
  const ask = async (act: object) => {
    const request = { questionWithVariable: '{{Prompt}}', query: { file: body.file.id, ...act } };
    return (await server.ask(request, client.user)).body;
  };
  expect((await ask({ preview: 5 })).answers).toHaveLength(5);
  const { batch } = await ask({ start: true });
  const ended = await client.whenEnded(batch?.id ?? '');
  expect(ended).toMatchObject({ charged: 6, marked: 6 });
  expect(ended.mark_counts).toMatchObject({ refusal: 1, nearly_identical: 5 });
});

describe('answers that never fit their columns', () => {
  const { attempts, name } = rateLimits.unusableRowsPerPerson;
  const { db } = server.app.ctx;
  const useUpAllBut = (left: number) =>
    db
      .updateTable('rate_limits')
      .set({ attempts: attempts - left })
      .where('key', 'like', `${name}:%`)
      .execute();
  const countOf = async () => {
    const counts = db
      .selectFrom('rate_limits')
      .select('attempts')
      .where('key', 'like', `${name}:%`);
    return (await counts.executeTakeFirst())?.attempts ?? 0;
  };
  const unusable = (rows: number) => Array.from({ length: rows }, (_, row) => `[[plain]] ${row}`);
  const textColumn = (name: string): Output => ({ name, type: 'text' });
  const columns = { outputs: ['Answer', 'Check'].map(textColumn) };

  it('pause a batch and refuse more when a person has had too many', async () => {
    await db.deleteFrom('rate_limits').execute();
    chat.behave({ answers: [`{"Answer":"${'x'.repeat(3_000)}","Check":""}`] });
    const poor = await BatchClient.create(server, 25);
    const few = await poor.start([...unusable(5), '[[answer 0]]', 'a', 'b'], { query: columns });
    expect(await poor.whenEnded(few.id)).toMatchObject({ answered: 2, failed: 6, charged: 2 });
    const lengths = (await poor.rows(few.id)).map(({ answer }) => answer?.length);
    expect(lengths[5]).toBe(500);
    await until(async () => (await countOf()) === 4);

    const query = { ...columns, file: few.sheet_id };
    const ask = (more: object) =>
      server.ask({ questionWithVariable: '{{Prompt}}', query: { ...query, ...more } }, poor.user);
    expect((await ask({ preview: 4, rows: [0, 1, 2, 6] })).body.answers).toHaveLength(4);
    expect(await countOf()).toBe(6);

    await useUpAllBut(8);
    const { id } = await poor.start(unusable(600), { query: { ...columns, partial: true } });
    expect(await poor.when(id, ({ state }) => state === 'paused')).toMatchObject({
      pause_reason: 'request_refused',
      pause_detail: expect.stringContaining('Most answers do not fit the answer columns'),
      answered: 0,
      charged: 0,
    });
    await whenReleased(server, id);
    const tried = [() => ask({ start: true }), () => ask({ preview: 1 }), () => poor.play(id)];
    for (const act of [...tried, () => poor.retryFailed(few.id)]) {
      const { status, body, headers } = await act();
      expect([status, body.message]).toEqual([
        429,
        expect.stringContaining('did not fit their answer columns'),
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
    }
    await poor.receive(5);
    expect((await ask({ preview: 1, outputs: [] })).status).toBe(200);
    server.clock.advance(hour);
    expect((await poor.play(id)).status).toBe(200);
    await poor.stop(id);
  });

  it('touch no batch with as many usable ones', async () => {
    await useUpAllBut(0);
    const { id } = await client.start([...unusable(8), ...'abcdefgh'], { query: columns });
    expect(await client.whenEnded(id)).toMatchObject({ answered: 8, failed: 8 });
  });
});

/** Each is what a model may write where a value belongs. */
const oddJson = [
  ...'1 -0 1e3 1.50 01 +1 .5 12345678901234567890123 1e999 NaN null true True'.split(' '),
  ...['"a"', "'a'", '""', '" "', '"\\u0000"', '"\\ud800"', '"\\x41"', '"a\nb"', '"open'],
  ...['[]', '[1,]', '[1, [2, [3]]]', '["a", "b"]', '\ufeff1', '\u2028', '', '<script>1</script>'],
  ...['{}', '{"a": 1, "a": 2}', '{"id": "b", "count": 2}', '{"__proto__": {"id": "x"}}'],
  ...['{id: 1}', '{"a": /* b */ 1}', '{"a"'],
  '['.repeat(5_000),
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  '﷽'.repeat(1_000),
];

it('stores only valid values of odd answers, charges only those, and calls no row more than twice', async () => {
  const answers = oddJson.flatMap(wrapped);
  chat.behave({ answers });
  const lines = answers.map((_, index) => `odd [[answer ${index}]]`);
  const { id } = await client.start(lines, { query: { outputs: oddColumns } });
  const ended = await client.whenEnded(id);
  expect([ended.answered + ended.failed, ended.charged]).toEqual([answers.length, ended.answered]);
  expect(ended.answered).toBeGreaterThan(50);
  const stored = [];
  for (let start = 0; start < answers.length; start += 100)
    stored.push(
      ...(await server.call('getRows', { id, start, limit: 100, filter: 'answered' }, client.user))
        .body.rows,
    );
  expect(stored).toHaveLength(ended.answered);
  expect(stored.filter(({ answer }) => !isValidOddAnswer(answer))).toEqual([]);
  const calls = Map.groupBy(promptsOf('odd '), (prompt) => prompt);
  expect(Math.max(...calls.values().map(({ length }) => length))).toBe(2);
});

it('is found by the numbers, days and options that it is shown as', async () => {
  const answers = [
    '{"size":"1,200","day":"31 January 2026","colours":["Green","RED"]}',
    '{"size":"7","day":"2026-02-01","colours":"red"}',
  ];
  chat.behave({ answers });
  const outputs: Output[] = [
    { name: 'size', type: 'integer' },
    { name: 'day', type: 'date' },
    { name: 'colours', type: 'choices', options: ['red', 'green'] },
  ];
  const lines = answers.map((_, index) => `sought [[answer ${index}]]`);
  const { id } = await client.start(lines, { query: { outputs } });
  expect(await client.whenEnded(id)).toMatchObject({ answered: 2 });
  const found = async (search: string) =>
    (await server.call('getRows', { id, search }, client.user)).body.rows.map(({ row }) => row);
  for (const search of ['1200', '2026-01-31', 'red, green', 'GREEN'])
    expect([search, await found(search)]).toEqual([search, [0]]);
  expect(await found('Red')).toEqual([0, 1]);
  for (const search of ['1,200', 'January', '"red"', 'size'])
    expect([search, await found(search)]).toEqual([search, []]);
});

it('is searched as the grid shows it, and not in its JSON', async () => {
  const answers = [
    '{"agrees":true,"why":"Says \\"fine\\""}',
    '{"agrees":false,"why":"caf\\u00e9"}',
    `{"why":"${'long '.repeat(400)}","agrees":true}`,
    '{"agrees":"perhaps","why":""}',
  ];
  chat.behave({ answers });
  const columns: Output[] = [
    { name: 'agrees', type: 'boolean' },
    { name: 'why', type: 'text' },
  ];
  const lines = answers.map((_, index) => `sought [[answer ${index}]]`);
  const { id } = await client.start(lines, { query: { outputs: columns } });
  expect(await client.whenEnded(id)).toMatchObject({ answered: 3, failed: 1 });
  const found = async (search: string) =>
    (await server.call('getRows', { id, search }, client.user)).body.rows.map(({ row }) => row);
  expect(await found('Yes')).toEqual([0, 2]);
  expect(await found('says "fine"')).toEqual([0]);
  expect(await found('CAFÉ')).toEqual([1]);
  // Of a failed row the screen shows what the model said.
  expect(await found('agrees')).toEqual([3]);
  expect(await found('perhaps')).toEqual([3]);
});

it('keeps its columns while rows of a paused batch are in flight', async () => {
  const prompts = [1, 2, 3].map((row) => `[[held]] columns ${row}`);
  const { id } = await client.start(prompts, { query: { outputs: ['mood'] } });
  await until(() => chat.inFlight === 3);
  await client.pause(id);
  const change = (request: object) =>
    server.call('changeBatchOptions', { id, ...request }, client.user);
  expect((await change({ outputs: ['topic'] })).body.code).toBe('not_now');
  expect((await change({ outputs: ['mood'], temperature: 0 })).status).toBe(200);
  const ended = await client.releaseUntilEnded(chat, id);
  expect(ended).toMatchObject({ outputs: ['mood'], temperature: 0, answered: 3 });
});

/** The columns that the answers of `wrapped` are read as. */
const oddColumns: Output[] = [
  { name: 'id', type: 'text' },
  { name: 'count', type: 'integer', may_be_empty: true },
];

/** What models make of what they should answer. */
const wrappers: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => `\`\`\`json\n${json}\n\`\`\``,
  (json) => `Here you are:\n${json}`,
  (json) => `{"id": ${json}, "count": 1}`,
  (json) => `\`\`\`\n{"id": ${json}, "count": 1}\n\`\`\``,
  (json) => `Sure! {"id": ${json}, "count": 1}`,
  (json) => `{"ID": ${json}, "the count": 1}`,
  (json) => `{"id": "a", "count": ${json}, "more": ${json}}`,
  (json) => `{"count": ${json}}`,
];

function wrapped(json: string): string[] {
  return wrappers.map((dress) => dress(json));
}

/** Whether an answer that was stored has a valid value in each column. */
function isValidOddAnswer(answer: string | null): boolean {
  const [id, count] = cellsOf(answer, oddColumns) ?? [];
  return id !== undefined && id.text.trim() !== '' && /^(-?\d+)?$/.test(count?.text ?? '?');
}
