import { beforeEach, describe, expect, it } from 'vitest';
import { BatchClient } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { modelToSave } from '../support/models.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

const model = 'agreed';
const { chat } = await startChat();
const server = await startTestServer({ CHAT_BASE_URL: chat.url, CHAT_MODEL: model });
const operator = await createUser(server, { roleId: 3 });
let client: BatchClient;
let file: string;
let version: number | undefined;

beforeEach(async () => {
  await setPrice(2);
  client = await BatchClient.create(server, 100);
  const uploaded = await server.upload('Prompt\none\ntwo\nthree\n', client.user);
  file = uploaded.body.file.id;
});

async function setPrice(submissions: number, more: object = {}): Promise<void> {
  const saved = {
    ...modelToSave,
    name: model,
    submissions_per_row: submissions,
    offered_to: 'everyone' as const,
    ...more,
    version,
  };
  const { status, body } = await server.call('saveModel', saved, operator);
  expect(status, body.message).toBe(200);
  version = (version ?? 0) + 1;
}

const ask = (query: object, request: object = { questionWithVariable: '{{Prompt}}' }) =>
  server.ask({ ...request, query } as never, client.user);
const prompt = { question: 'What is it?' };

describe('a quote of six submissions', () => {
  it('starts at its price, and the batch keeps it when the price rises', async () => {
    const { quote } = (await ask({ file, quote: true })).body;
    expect(quote?.needed).toBe(6);
    const { batch } = (await ask({ file, start: true, max_submissions: 6 })).body;
    await setPrice(5);
    expect(await client.whenEnded(batch?.id ?? '')).toMatchObject({ charged: 6 });
  });

  it.each([
    ['start', { start: true }],
    ['partial start', { start: true, partial: true }],
    ['start of previewed rows', { start: true }, { preview: 2 }],
  ])('refuses a %s after the price has risen, and charges nothing', async (_, start, before?) => {
    if (before) await ask({ file, ...before });
    const { available, needed } = (await ask({ file, quote: true })).body.quote ?? {};
    await setPrice(5);
    expect(await ask({ file, ...start, max_submissions: needed })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining(`This now needs 15 submissions, not ${needed}.`) },
    });
    expect(await client.balance()).toBe(available);
    const { quote } = (await ask({ file, quote: true })).body;
    expect(await ask({ file, ...start, max_submissions: quote?.needed })).toMatchObject({
      status: 200,
    });
  });

  it('starts at a lower price', async () => {
    await setPrice(1);
    const { batch } = (await ask({ file, start: true, max_submissions: 6 })).body;
    expect(await client.whenEnded(batch?.id ?? '')).toMatchObject({ charged: 3 });
  });

  it('refuses a start at a price by size that may cost more', async () => {
    await setPrice(1, { price_tokens: 100, answer_tokens: 400, options: ['max_tokens'] });
    expect(await ask({ file, start: true, max_submissions: 6 })).toMatchObject({ status: 422 });
    expect(await client.balance()).toBe(100);
  });
});

describe('a preview or single prompt with an agreed maximum', () => {
  it.each([
    ['preview', () => ask({ file, preview: 2, max_submissions: 4 })],
    ['single prompt', () => ask({ max_submissions: 2 }, prompt)],
  ])('is refused after the price of a %s has risen, and nothing is asked', async (_, send) => {
    await setPrice(5);
    const calls = chat.calls.length;
    expect(await send()).toMatchObject({
      status: 422,
      body: { fields: { 'query.max_submissions': expect.stringContaining('Nothing was charged') } },
    });
    expect(chat.calls.length).toBe(calls);
    expect(await client.balance()).toBe(100);
    await setPrice(2);
    expect(await send()).toMatchObject({ status: 200 });
  });
});
