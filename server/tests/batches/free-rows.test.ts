import { beforeEach, describe, expect, it } from 'vitest';
import { BatchClient, whenReleased } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer } from '../support/test-server.ts';

const { chat, settings } = await startChat();
const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '16', PROMPT_MAX_KB: '4' });
beforeEach(() => () => expectLedgerChecksToPass(server));

/** Sheets of 500 rows, of which these are empty. */
const places: [string, readonly number[]][] = [
  ['at the start', [0, 1, 2, 3, 4]],
  ['in the middle', [248, 249, 250, 251, 252]],
  ['at the end', [495, 496, 497, 498, 499]],
  ['everywhere', [0, 30, 250, 498, 499]],
];
const empty = places.map(([, rows]) => rows).at(-1) ?? [];
const promptsWithout = (rows: readonly number[], words = 'row') =>
  Array.from({ length: 500 }, (_, row) => (rows.includes(row) ? ' ' : `${words} ${row}`));

/** Longer than any prompt may be. */
const tooLong = 'x'.repeat(5_000);

describe('a batch with 5 empty rows of 500 that is started with too few submissions', () => {
  it.each(places)('needs none for those %s', async (_, rows) => {
    const poor = await BatchClient.create(server, 25);
    const { id, ...started } = await poor.start(promptsWithout(rows), { query: { partial: true } });
    expect(started).toMatchObject({ held: 25, needed: 470, covered: 25 });
    const paused = await poor.when(id, ({ state }) => state === 'paused');
    const used = { pause_reason: 'needs_credits', answered: 25, charged: 25, held: 0 };
    expect(paused).toMatchObject({ ...used, needed: 470 });
    const { body: refused } = await poor.play(id);
    expect(refused).toMatchObject({ code: 'insufficient_credits' });
    expect(refused.message).toContain('470 submissions');
    await poor.receive(100);
    expect((await poor.play(id)).body.batch).toMatchObject({ held: 100, needed: 370 });
    await poor.when(id, ({ state, answered }) => state === 'paused' && answered === 125);
    await poor.receive(400);
    expect((await poor.play(id)).body.batch).toMatchObject({ held: 370, needed: 0, covered: null });
    expect(await poor.whenEnded(id)).toMatchObject({
      state: 'completed',
      needed: 0,
      receipt: { answered: 495, failed: 0, skipped: 5, charged: 495, returned: 0 },
    });
    expect(await poor.balance()).toBe(30);
  });

  it('needs none for rows that are too long either, and one for each that is left', async () => {
    const poor = await BatchClient.create(server, 4);
    const failing = '[[status 413]]';
    const prompts = [' ', tooLong, failing, failing, 'a', 'b', 'c', 'd', ' ', tooLong, 'e', 'f'];
    const { id, needed } = await poor.start(prompts, { query: { partial: true } });
    // Of 12 rows 8 are sent. Of these 2 fail.
    expect(needed).toBe(4);
    const paused = await poor.when(id, ({ state }) => state === 'paused');
    expect(paused).toMatchObject({ answered: 4, charged: 4, needed: 2 });
    await poor.receive(2);
    await poor.play(id);
    const ended = await poor.whenEnded(id);
    expect(ended.receipt).toEqual({ answered: 6, failed: 4, skipped: 2, charged: 6, returned: 0 });

    await poor.receive(4);
    await whenReleased(server, id);
    expect((await poor.retryFailed(id)).body.batch).toMatchObject({ needed: 0, covered: null });
    const again = await poor.whenEnded(id);
    expect(again).toMatchObject({ answered: 6, failed: 4, charged: 6, needed: 0 });
    expect(await poor.balance()).toBe(4);
  });
});

describe('a partial batch with a row behind the empty ones that was tried', () => {
  const start = async () => {
    const poor = await BatchClient.create(server, 2);
    const { body } = await server.upload('Prompt,Tone\na,\nb,\n,\n,\nc,\n', poor.user);
    const ask = (query: object) =>
      server.ask(
        { questionWithVariable: '{{Prompt}}', query: { ...query, file: body.file.id } },
        poor.user,
      );
    expect((await ask({ preview: 1, rows: [4] })).body.answers).toHaveLength(1);
    const { id = '', needed } = (await ask({ start: true, partial: true })).body.batch ?? {};
    expect(needed).toBe(1);
    const paused = await poor.when(id, ({ state }) => state === 'paused');
    expect(paused).toMatchObject({ pause_reason: 'needs_credits', answered: 2, needed: 1 });
    return { poor, id };
  };
  const receipt = { answered: 3, failed: 0, skipped: 2, charged: 3 };

  it('ends with one submission for each sent row', async () => {
    const { poor, id } = await start();
    await poor.receive(1);
    await poor.play(id);
    const ended = await poor.when(id, ({ state }) => state !== 'running');
    expect(ended.receipt).toEqual({ ...receipt, returned: 0 });
  });

  it('can be resumed when it does not know that, and returns what it did not need', async () => {
    const { poor, id } = await start();
    const { db } = server.app.ctx;
    await db.updateTable('batches').set({ free_rows_at_end: 0 }).where('id', '=', id).execute();
    await poor.receive(1);
    await poor.play(id);
    const paused = await poor.when(id, ({ state }) => state !== 'running');
    expect(paused).toMatchObject({ state: 'paused', answered: 3, needed: 2 });
    expect((await poor.play(id)).body.code).toBe('insufficient_credits');
    await poor.receive(2);
    await poor.play(id);
    expect((await poor.whenEnded(id)).receipt).toEqual({ ...receipt, returned: 2 });
    expect(await poor.balance()).toBe(2);
  });
});

describe('a batch with 5 empty rows of 500 that is started with enough submissions', () => {
  it('needs no more while it runs or is paused', async () => {
    const client = await BatchClient.create(server, 495);
    const started = await client.start(promptsWithout(empty, '[[held]]'));
    const { id } = started;
    expect(started).toMatchObject({ held: 495, needed: 0, covered: null });
    expect((await client.pause(id)).body.batch).toMatchObject({ needed: 0 });
    expect((await client.play(id)).body.batch).toMatchObject({ needed: 0, covered: null });
    const ended = await client.releaseUntilEnded(chat, id);
    expect(ended).toMatchObject({ state: 'completed', answered: 495, skipped: 5, charged: 495 });
  });
});

describe('a batch with 5 empty rows of 500 of which some were tried', () => {
  it('starts with the submissions of the others', async () => {
    const client = await BatchClient.create(server, 494);
    const cells = promptsWithout(empty, 'tried').map((prompt) => `"${prompt}"`);
    const { body: uploaded } = await server.upload(`Prompt\n${cells.join('\n')}\n`, client.user);
    const query = { file: uploaded.file.id, preview: 3 };
    const previewed = await server.ask({ questionWithVariable: '{{Prompt}}', query }, client.user);
    expect(previewed.body.answers).toHaveLength(3);
    const { files } = (await server.call('getProcessedFiles', {}, client.user)).body;
    const id = files[0]?.id ?? '';
    const { body } = await client.play(id);
    expect(body.code).toBe('insufficient_credits');
    expect(body.message).toContain('492 submissions');
    await client.receive(1);
    expect((await client.play(id)).body.batch).toMatchObject({ held: 492, needed: 0 });
    expect(await client.whenEnded(id)).toMatchObject({
      receipt: { answered: 495, failed: 0, skipped: 5, charged: 495, returned: 0 },
    });
    expect(await client.balance()).toBe(0);
  });
});

it('returns what its rows did not use, and not what a failed trial of them did not', async () => {
  const client = await BatchClient.create(server, 20);
  const { body } = await server.upload('Prompt\n[[status 413]]\nfine\n', client.user);
  const ask = (query: object) =>
    server.ask(
      { questionWithVariable: 'Say {{Prompt}}', query: { ...query, file: body.file.id } },
      client.user,
    );
  for (let times = 0; times < 2; times++)
    expect((await ask({ preview: 2 })).body.answers).toMatchObject([{ answer: null }, {}]);
  const { id = '' } = (await ask({ start: true })).body.batch ?? {};
  const { receipt } = await client.whenEnded(id);
  expect(receipt).toEqual({ answered: 1, failed: 1, skipped: 0, charged: 1, returned: 1 });
});

it('lists the prompt of a batch that was tried, once it is started from its page', async () => {
  const client = await BatchClient.create(server, 20);
  const { body } = await server.upload('Prompt\none\ntwo\n', client.user);
  const query = { file: body.file.id, preview: 1 };
  await server.ask({ questionWithVariable: 'Tell {{Prompt}}', query }, client.user);
  const listed = async () =>
    (await server.call('getQuestionsAsked', { limit: 10 }, client.user)).body.questions;
  expect(await listed()).toEqual([]);
  const { files } = (await server.call('getProcessedFiles', {}, client.user)).body;
  const id = files[0]?.id ?? '';
  for (const act of [client.play, client.pause, client.play]) await act(id);
  await client.whenEnded(id);
  expect(await listed()).toMatchObject([
    { question: 'Tell {{Prompt}}', sheet: body.file.name, rows: 2 },
  ]);
  expect((await server.call('deleteBatch', { id }, client.user)).status).toBe(200);
  expect(await listed()).toEqual([]);
});
