import type { Output } from '@rowmill/contract';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import type { Db } from '../../src/db/transaction.ts';
import { storedFormats } from '../../src/domains/prompts/model-formats.ts';
import { day } from '../../src/lib/clock.ts';
import { BatchClient } from '../support/batches.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let chat: FakeChat;
let client: BatchClient;
let server: TestServer;
beforeAll(async () => {
  chat = await startFakeChat();
  const settings = { CHAT_BASE_URL: chat.url, CHAT_MODEL: 'fake', CHAT_CONCURRENCY: '12' };
  server = await startTestServer(settings);
  client = await BatchClient.create(server, 10_000);
  return () => chat.close();
});

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

it('shows in a preview what is wrong with the request before anything runs', async () => {
  server.clock.advance(10_000);
  const { body } = await server.upload('Prompt\n[[status 400]]\n[[plain]]\n', client.user);
  const query = { file: body.file.id, preview: 2, outputs };
  const previewed = await server.call(
    'askChatGpt',
    { questionWithVariable: '{{Prompt}}', query },
    client.user,
  );
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
