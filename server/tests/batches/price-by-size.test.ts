import { beforeEach, describe, expect, it } from 'vitest';
import { fairShares } from '../../src/domains/requests/fair-shares.ts';
import { BatchClient } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const model = 'by-size';
/** Two submissions for each 100 tokens, rounded up, and answers of at most 40. */
const settings = {
  name: model,
  provider_id: null,
  asked_as: 'fake-small',
  label: 'By size',
  submissions_per_row: 2,
  price_tokens: 100,
  answer_tokens: 40,
  input_cost: null,
  cached_cost: null,
  output_cost: null,
  options: ['system' as const, 'max_tokens' as const],
  offered_to: 'everyone' as const,
  fallback: null,
  position: 1,
};
const short = 'short';
const long = 'x'.repeat(300);
/** As the fake counts, and as the quote reserves. */
const chargeOf = ({ length }: string) =>
  2 * Math.ceil((Math.ceil(length / 4) + Math.ceil((length + 11) / 4)) / 100);
const mostOf = ({ length }: string) => 2 * Math.ceil((length + 50 + 40) / 100);

let client: BatchClient;
const { chat } = await startChat({ answers: ['y'.repeat(4_000)] });
const server = await startTestServer({ CHAT_BASE_URL: chat.url, CHAT_MODEL: model });
const operator = await createUser(server, { roleId: 3 });
expect(await server.call('saveModel', settings, operator)).toMatchObject({ status: 200 });
beforeEach(async () => {
  client = await BatchClient.create(server, 1_000);
  return () => expectLedgerChecksToPass(server);
});

const ask = (query: object, question?: string) =>
  server.ask(
    { ...(question ? { question } : { questionWithVariable: '{{Prompt}}' }), query } as never,
    client.user,
  );
const upload = async (...prompts: string[]): Promise<string> =>
  (await server.upload(`Prompt,Note\n${prompts.join(',\n')},\n`, client.user)).body.file.id;

describe('a batch whose model costs by size', () => {
  it('reserves the maximum, charges the size of each answer and returns the unused part', async () => {
    const file = await upload(short, long, 'blue', 'green');
    const first = (await ask({ file, quote: true })).body.quote;
    const most = mostOf(long);
    expect(first).toMatchObject({
      needed: 4 * most,
      expected: null,
      price_by_size: { tokens: 100, submissions: 2 },
    });
    expect((await ask({ file, preview: 2 })).body.answers).toHaveLength(2);
    const tried = chargeOf(short) + chargeOf(long);
    expect(await client.balance()).toBe(1_000 - tried);
    const quote = (await ask({ file, quote: true })).body.quote;
    expect(quote).toMatchObject({ answered: 2, needed: 2 * most, expected: { expected: tried } });
    expect(first?.seconds).toBe(null);
    expect(quote?.seconds?.high).toBeGreaterThanOrEqual(quote?.seconds?.low ?? 1);
    const started = (await ask({ file, start: true })).body.batch;
    expect(started).toMatchObject({ price: most, max_tokens: 40, held: 2 * most, charged: tried });
    const ended = await client.whenEnded(started?.id ?? '');
    const run = chargeOf('blue') + chargeOf('green');
    const charged = tried + run;
    // What the tried rows did not need came back before the start.
    const returned = 2 * most - run;
    const used = 6 + 153;
    expect(ended.estimate).toMatchObject({
      submissions: { expected: 2 * tried },
      tokens: { expected: 2 * used },
      seconds: quote?.seconds,
    });
    expect(ended.receipt).toEqual({ answered: 4, failed: 0, skipped: 0, charged, returned });
    expect(await client.balance()).toBe(1_000 - charged);
    const rows = await client.rows(ended.id);
    expect(rows.map(({ charge }) => charge)).toEqual([2, 4, 2, 2]);
    expect(chat.calls.at(-1)?.options).toEqual({ max_tokens: 40 });
  });

  it('tries rows for what the quote says, also when only some rows run', async () => {
    const file = await upload(short, long, 'blue');
    const run = { file, limit: 1 };
    const quote = (await ask({ ...run, quote: true })).body.quote;
    expect(quote).toMatchObject({ needed: mostOf(short), per_tried_row: mostOf(long) });
    const agreed = { ...run, preview: 1, max_submissions: quote?.per_tried_row };
    expect((await ask(agreed)).body.answers).toHaveLength(1);
    expect(await client.balance()).toBe(1_000 - chargeOf(short));
  });

  it('returns the unused reservation of an answer while other rows are still asked', async () => {
    const { id } = await client.start([short, `${long} [[held]]`]);
    const most = mostOf(`${long} [[held]]`);
    const open = await client.when(id, ({ answered }) => answered === 1);
    expect(open).toMatchObject({ charged: 2, held: most });
    await until(async () => (await client.balance()) === 1_000 - 2 - most);
    await until(() => chat.inFlight === 1);
    chat.releaseHeld();
    await client.whenEnded(id);
  });

  it('never costs more than it reserved, however long the answer is', async () => {
    const prompt = '[[answer 0]]';
    const { id } = await client.start([prompt]);
    const ended = await client.whenEnded(id);
    expect(ended).toMatchObject({ answered: 1, charged: mostOf(prompt) });
    expect(ended.tokens?.output).toBe(1_000);
  });

  it('estimates by length when the provider counts no tokens', async () => {
    const prompt = `${long} [[uncounted]]`;
    const file = await upload(prompt, `${prompt} again`);
    await ask({ file, preview: 1 });
    const { batch } = (await ask({ file, start: true })).body;
    const ended = await client.whenEnded(batch?.id ?? '');
    const rows = await client.rows(ended.id);
    // Each has prompt and answer of more than 600 characters, a fourth of which is more than one
    // unit.
    expect(rows.map(({ charge, tokens }) => [charge, tokens])).toEqual([
      [4, null],
      [4, null],
    ]);
    expect(ended).toMatchObject({ charged: 8, tokens: null });
  });

  it('continues with the unused part of its reservation, if it started with too few submissions', async () => {
    const prompts = Array.from({ length: 40 }, (_, row) => `${row} ${'z'.repeat(60)}`);
    const most = mostOf(prompts[39] ?? '');
    const few = await BatchClient.create(server, 10 * most);
    client = few;
    const { id } = await few.start(prompts, { query: { partial: true } });
    const paused = await few.when(id, ({ state }) => state !== 'running');
    // Twenty rows of 2 would be covered by the 10 that were reserved for 4 each, but for the last
    // one.
    expect(paused).toMatchObject({ state: 'paused', pause_reason: 'needs_credits' });
    expect(paused.answered).toBe(19);
    expect(paused.charged).toBe(38);
    await few.receive(200);
    expect((await few.play(id)).status).toBe(200);
    expect(await few.whenEnded(id)).toMatchObject({ answered: 40, charged: 80, held: 0 });
    expect(await few.balance()).toBe(10 * most + 200 - 80);
  });

  it('goes on with as few more submissions as its next row lacks', async () => {
    const prompts = Array.from({ length: 21 }, (_, row) => `${10 + row} ${'z'.repeat(60)}`);
    const most = mostOf(prompts[0] ?? '');
    const few = await BatchClient.create(server, 10 * most);
    client = few;
    const { id } = await few.start(prompts, { query: { partial: true } });
    const isPaused = (answered: number) =>
      few.when(id, (batch) => batch.state === 'paused' && batch.answered === answered);
    expect(await isPaused(19)).toMatchObject({ price: 4, held: 2, needed: 6 });
    await few.receive(1);
    expect((await few.play(id)).status).toBe(402);
    await few.receive(2);
    expect((await few.play(id)).status).toBe(200);
    // Of the three, two were lacking.
    expect(await isPaused(20)).toMatchObject({ held: 2, needed: 2 });
    expect(await few.balance()).toBe(1);
    await few.receive(2);
    expect((await few.play(id)).status).toBe(200);
    expect(await few.whenEnded(id)).toMatchObject({ answered: 21, charged: 42, held: 0 });
    expect(await few.balance()).toBe(3);
  });

  it('charges nothing for rows that fail, and their size when they are retried', async () => {
    const prompt = `${long} [[status 413]]`;
    const { id } = await client.start([short, prompt]);
    expect(await client.whenEnded(id)).toMatchObject({ answered: 1, failed: 1, charged: 2 });
    expect(await client.balance()).toBe(998);
    expect(await client.retryFailed(id)).toMatchObject({ status: 200 });
    expect(await client.whenEnded(id)).toMatchObject({ failed: 1, charged: 2, held: 0 });
  });

  it('returns the whole unused reservation when it is stopped', async () => {
    const { id } = await client.start([short, ...Array(30).fill(`${long} [[held]]`)]);
    await client.when(id, ({ answered }) => answered === 1);
    await client.stop(id);
    chat.releaseHeld();
    const ended = await client.whenEnded(id);
    expect(await client.balance()).toBe(1_000 - ended.charged);
    expect(ended.charged).toBe(2 + 4 * (ended.answered - 1) || 2);
  });

  it('is compared with no estimate of other rows when it is stopped and its failed ones run again', async () => {
    const file = await upload('tried', '[[status 413]]', ...Array(30).fill('[[held]]'));
    await ask({ file, preview: 1 });
    const { id = '', estimate } = (await ask({ file, start: true })).body.batch ?? {};
    expect(estimate).not.toBe(null);
    await client.when(id, ({ failed }) => failed === 1);
    await client.stop(id);
    await client.releaseUntilEnded(chat, id);
    expect(await client.retryFailed(id)).toMatchObject({ status: 200 });
    const ended = await client.whenEnded(id);
    expect(ended.rows).toBeLessThan(32);
    expect(ended.estimate).toBe(null);
  });

  it('does not change to options or models for which too little is reserved', async () => {
    const { id } = await client.start([short, '[[status 413]]']);
    await client.whenEnded(id);
    const change = (more: object) =>
      server.call('changeBatchOptions', { id, model, ...more }, client.user);
    expect(await change({ max_tokens: 400 })).toMatchObject({
      status: 422,
      body: { fields: { max_tokens: expect.stringContaining('more than is reserved') } },
    });
    expect(await change({ model: 'fake-large' })).toMatchObject({
      status: 422,
      body: { fields: { model: expect.stringContaining('per 100 tokens') } },
    });
    expect(await change({ max_tokens: 30 })).toMatchObject({ status: 200 });
    // 14 characters, 50 tokens for the form of the request and these are two units, as reserved.
    for (const [max_tokens, status] of [
      [40, 200],
      [136, 200],
      [137, 422],
    ])
      expect(await change({ max_tokens })).toMatchObject({ status });
    expect((await client.batch(id)).max_tokens).toBe(136);
  });

  it('is not prepared by a preview of blank rows', async () => {
    const file = await upload(' ', ' ');
    const { status, body } = await ask({ file, preview: 2 });
    expect([status, body.answers]).toEqual([200, []]);
    const { db } = server.app.ctx;
    const batches = db.selectFrom('batches').select('id').where('sheet_id', '=', file);
    expect(await batches.execute()).toEqual([]);
  });

  it('keeps its price when the operator changes it', async () => {
    const file = await upload(short, 'other');
    await ask({ file, preview: 1 });
    const changed = { ...settings, version: 1, submissions_per_row: 3 };
    expect(await server.call('saveModel', changed, operator)).toMatchObject({ status: 200 });
    // The preview belongs to a batch of the earlier price.
    const { quote } = (await ask({ file, quote: true })).body;
    expect(quote).toMatchObject({ answered: 0, price_by_size: { submissions: 3 } });
    const { batch } = (await ask({ file, start: true })).body;
    expect(await client.whenEnded(batch?.id ?? '')).toMatchObject({ charged: 6 });
    expect(await client.balance()).toBe(1_000 - 2 - 6);
    await server.call('saveModel', { ...settings, version: 2 }, operator);
  });
});

it('quotes and previews read large sheets in turn, and small ones at once', async () => {
  const file = await upload(short, long);
  const large = await upload(...Array<string>(10_001).fill(short));
  expect((await ask({ file: large, preview: 1 })).status).toBe(200);
  const { total } = fairShares.measures;
  const { measuring } = server.app.ctx;
  const others = Array.from({ length: total }, (_, person) => measuring.take(`${person}`));
  const ends = await Promise.all(others);
  let hasEnded = false;
  const setEnded = () => {
    hasEnded = true;
  };
  const unread = ask({ file: large, preview: 2 }).finally(setEnded);
  const unquoted = ask({ file: large, quote: true }).finally(setEnded);
  for (let times = 0; times < 10; times++) {
    // Its row has an answer.
    expect((await ask({ file: large, preview: 1 })).body.answers).toMatchObject([{ row: 0 }]);
    expect((await ask({ file, preview: 1 })).body.answers).toMatchObject([{ row: 0 }]);
    expect((await ask({ file, quote: true })).body.quote).toMatchObject({ rows: 2 });
  }
  expect(hasEnded).toBe(false);
  for (const end of ends) end();
  expect((await unread).body.answers).toHaveLength(2);
  expect((await unquoted).body.quote).toMatchObject({ rows: 10_001 });
});

describe('two previews at once', () => {
  it('keep all their answers when the most that a row may cost rises between them', async () => {
    // It takes no length of answers, so the operator's applies to batches that exist.
    const name = 'fake-large';
    const plain = { ...settings, name, options: [] };
    expect(await server.call('saveModel', plain, operator)).toMatchObject({ status: 200 });
    const file = await upload('one [[held]]', 'two [[held]]', '[[status 413]]', 'four [[held]]');
    const preview = (rows: number[]) => ask({ file, model: name, preview: 3, rows });
    const first = preview([0, 1, 2]);
    const isAsked = (word: string) => chat.calls.some(({ prompt }) => prompt.startsWith(word));
    await until(() => isAsked('two'));
    const longer = { ...plain, version: 1, answer_tokens: 400 };
    expect(await server.call('saveModel', longer, operator)).toMatchObject({ status: 200 });
    const second = preview([3]);
    await until(() => isAsked('four'));
    chat.releaseHeld();
    const answers = [(await first).body.answers, (await second).body.answers].flat();
    expect(answers.filter((one) => one?.answer)).toHaveLength(3);
    // Nothing stays reserved, not even for the row that failed.
    expect(await client.balance()).toBe(1_000 - 3 * 2);
  });
});

describe('a single prompt to such a model', () => {
  it.each([
    ['its size', long, chargeOf(long)],
    ['what is estimated without counts', `${long} [[uncounted]]`, 4],
    ['no more than was reserved', '[[answer 0]]', mostOf('[[answer 0]]')],
  ])('costs %s', async (_what, prompt, charge) => {
    const { body } = await ask({}, prompt);
    expect(body.creditsAvailable).toBe(1_000 - charge);
  });

  it('counts with its maximum towards the monthly limit while it is in flight', async () => {
    const admin = await createUser(server, { roleId: 2 });
    const user = await createUser(server, { adminId: admin.id, submissions: 100 });
    const limit = { user_id: user.id, monthly_limit: mostOf(long) };
    expect(await server.call('setClientLimits', limit, admin)).toMatchObject({ status: 200 });
    const question = (prompt: string) => server.ask({ question: prompt, query: {} }, user);
    expect((await question(long)).body.creditsAvailable).toBe(100 - chargeOf(long));
    expect(await question(long)).toMatchObject({ status: 402 });
    // Four of the eight are left, which the most for a short prompt does not exceed.
    expect((await question(short)).body.creditsAvailable).toBe(100 - chargeOf(long) - 2);
  });

  it('costs nothing when it fails', async () => {
    expect(await ask({}, `${long} [[status 413]]`)).toMatchObject({ status: 502 });
    expect(await client.balance()).toBe(1_000);
  });
});
