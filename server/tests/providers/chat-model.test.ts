import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerTypes, needsOptions, readAnswer } from '@rowmill/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultBehaviour } from '../../../fakes/chat/behaviour.ts';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import { demoChat } from '../../src/adapters/demo-chat.ts';
import { findLocalChat } from '../../src/adapters/find-local-chat.ts';
import { providerChat } from '../../src/adapters/provider-chat.ts';
import type { ChatModel, ChatRequest } from '../../src/engine/port.ts';
import { chatRequestFor } from '../support/chat-request.ts';

const key = 'sk-test-0123456789abcdef';
const now = Date.parse('2026-03-01T12:00:00Z');

let directory: string;
let fake: FakeChat;
let openai: ChatModel;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rowmill-chat-'));
  fake = await startFakeChat({ key, log: join(directory, 'calls.jsonl') });
  openai = connect(fake.url);
});
beforeEach(() => fake.behave(defaultBehaviour));
afterAll(async () => {
  await openai.close();
  await fake.close();
  await rm(directory, { recursive: true });
});

function connect(baseUrl: string, apiKey: string | null = key): ChatModel {
  return providerChat({ kind: 'openai', baseUrl, apiKey, now: () => now });
}

const ask = (prompt: string, options?: Partial<ChatRequest>) =>
  openai.ask(chatRequestFor(prompt, options));

describe.each([
  { what: 'a provider', model: () => openai, refused: '[[status 400]]', slow: '[[slow 2000]]' },
  {
    what: 'the demo model',
    model: () => demoChat({ isPaced: false }),
    refused: '[[fail]]',
    slow: '[[slow]]',
  },
])('$what', ({ model, refused, slow }) => {
  it('has a name and at least one model', async () => {
    expect(model().name).toMatch(/^demo$|^127\.0\.0\.1:\d+$/);
    expect(await model().listModels()).toContainEqual({ id: expect.any(String) });
  });

  it.each(['How are you?', 'Wie geht’s? 你好 🦔', '"quoted" \\ and <b>marked</b>'])(
    'answers %s',
    async (prompt) => {
      const outcome = await model().ask(chatRequestFor(prompt));
      expect(outcome).toMatchObject({ kind: 'answered', text: expect.stringContaining(prompt) });
    },
  );

  it('answers every answer column', async () => {
    const outputs = ['tone', 'A reply, in short', '__proto__'];
    const outcome = await model().ask(chatRequestFor('How are you?', { outputs }));
    const values = JSON.parse(outcome.kind === 'answered' ? outcome.text : '');
    expect(Object.keys(values)).toEqual(outputs);
    expect(Object.values(values)).toEqual(outputs.map((output) => expect.stringContaining(output)));
  });

  it('answers columns of every type', async () => {
    const outputs = answerTypes.map((type) => ({
      name: type,
      type,
      ...(needsOptions(type) ? { options: ['Red', 'Blue'] } : {}),
    }));
    for (const format of ['schema', 'words'] as const) {
      const outcome = await model().ask(chatRequestFor('A “red” kettle', { outputs, format }));
      const text = outcome.kind === 'answered' ? outcome.text : outcome.kind;
      expect(readAnswer(text, outputs)).toEqual({ cells: expect.any(Array) });
    }
  });

  it('refuses a row', async () => {
    const outcome = await model().ask(chatRequestFor(refused));
    expect(outcome).toEqual({
      kind: expect.stringMatching(/^(row|request)_refused$/),
      reason: expect.stringMatching(/^[A-Z].{10,}$/),
    });
  });

  it('answers a slow call', async () => {
    expect(await model().ask(chatRequestFor(slow))).toMatchObject({ kind: 'answered' });
  });

  it('gives up at the deadline', async () => {
    const outcome = await model().ask(chatRequestFor(slow, { deadlineMilliseconds: 300 }));
    expect(outcome).toMatchObject({ kind: 'broken', reason: 'No answer came within 0.3 seconds.' });
  });

  it('stops on an abort signal before and during a call', async () => {
    expect(await model().ask(chatRequestFor('hello', { signal: AbortSignal.abort() }))).toEqual({
      kind: 'aborted',
    });
    const stop = new AbortController();
    const calls = Array.from({ length: 20 }, () =>
      model().ask(chatRequestFor(slow, { signal: stop.signal })),
    );
    setImmediate(() => stop.abort());
    expect(new Set((await Promise.all(calls)).map(({ kind }) => kind))).toEqual(
      new Set(['aborted']),
    );
  });
});

describe('the adapter for OpenAI-compatible providers', () => {
  it.each(['[[hang]]', '[[half headers]]', '[[hang after headers]]', '[[drip]]'])(
    'abandons a call at %s',
    async (prompt) => {
      expect(await ask(prompt, { deadlineMilliseconds: 300 })).toMatchObject({ kind: 'broken' });
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 100);
      expect(await ask(prompt, { signal: stop.signal })).toEqual({ kind: 'aborted' });
    },
  );

  it.each(['gzip', 'deflate', 'br', 'zstd'])('unpacks an answer in %s', async (encoding) => {
    const prompt = `[[compressed ${encoding}]]`;
    expect(await ask(prompt)).toMatchObject({ kind: 'answered', text: `Answer to: ${prompt}` });
  });

  it('unpacks no answer above the limit of its size', async () => {
    expect(await ask('[[compressed gzip huge]]')).toMatchObject({
      kind: 'row_refused',
      reason: 'The answer is larger than 1 MiB.',
    });
  });

  it('counts as output what only the total contains', async () => {
    const tokens = { input: 3, cached: 1, output: 87, reasoning: 81 };
    expect(await ask('[[total 90]]')).toMatchObject({ kind: 'answered', tokens });
  });

  it('frees hanging connections at the deadline, even if all of them hang', async () => {
    const hanging = Array.from({ length: 40 }, () =>
      ask('[[hang]]', { deadlineMilliseconds: 300 }),
    );
    const waiting = ask('still there?');
    expect(new Set((await Promise.all(hanging)).map(({ kind }) => kind))).toEqual(
      new Set(['broken']),
    );
    expect(await waiting).toMatchObject({ kind: 'answered', text: 'Answer to: still there?' });
  });

  it('reports an unreachable provider as broken and without models', async () => {
    const gone = await startFakeChat();
    await gone.close();
    const model = connect(gone.url);
    expect(await model.ask(chatRequestFor('hello'))).toMatchObject({ kind: 'broken' });
    await expect(model.listModels()).rejects.toThrow('it was refused');
    await model.close();
  });

  it('lists only names that a request can ask for', async () => {
    const names = ['', 'a\0b', '\ud800', 'm'.repeat(1_000_000), 'good'];
    await using hostile = await startFakeChat({ models: names });
    const model = connect(hostile.url);
    expect(await model.listModels()).toEqual([{ id: 'good' }]);
    await model.close();
  });

  it('reads no list with more values than parsing in one go allows', async () => {
    const models = Array.from({ length: 60_000 }, (_, number) => `${number}`);
    await using hostile = await startFakeChat({ models });
    const model = connect(hostile.url);
    expect(await model.listModels()).toEqual([]);
    await model.close();
  });

  it('ends its calls when it is closed', async () => {
    const model = connect(fake.url);
    const call = model.ask(chatRequestFor('[[hang]]'));
    await model.close();
    expect(await call).toEqual({ kind: 'aborted' });
    expect(await model.ask(chatRequestFor('hello'))).toEqual({ kind: 'aborted' });
  });

  it.each([
    ['another key', 'sk-wrong-key'],
    ['no key', null],
    ['a key with a line break', 'sk-\n-key'],
  ])('reports that %s is refused without revealing the key', async (_what, apiKey) => {
    const model = connect(fake.url, apiKey);
    const outcome = await model.ask(chatRequestFor('hello'));
    expect(outcome).toMatchObject({ kind: 'provider_refused' });
    expect(JSON.stringify(outcome)).not.toContain('sk-');
    await model.close();
  });

  it.each(['/', '/chat/completions', '/chat/completions/'])(
    'accepts a base URL that ends with %s',
    async (end) => {
      const model = connect(`${fake.url}${end}`);
      expect(await model.ask(chatRequestFor('hello'))).toMatchObject({ kind: 'answered' });
      expect(await model.listModels()).not.toEqual([]);
      await model.close();
    },
  );
});

describe('the fake provider', () => {
  it('logs every call without the key', async () => {
    await ask('to be found in the log');
    const served = await (await fetch(new URL('/log', fake.url))).text();
    const written = await readFile(join(directory, 'calls.jsonl'), 'utf8');
    for (const log of [served, written, JSON.stringify(fake.calls)]) {
      expect(log).toContain('to be found in the log');
      expect(log).not.toContain(key);
    }
    expect(fake.calls.at(-1)).toMatchObject({ prompt: 'to be found in the log', status: 200 });
  });

  const behave = (options: unknown) =>
    fetch(new URL('/behave', fake.url), { method: 'POST', body: JSON.stringify(options) });

  it('refuses unknown options', async () => {
    expect((await behave({ latencyy: 5 })).status).toBe(400);
  });

  it('fails the same share of calls with the same seed', async () => {
    const run = async () => {
      await using flaky = await startFakeChat({ share429: 0.2, share500: 0.2, seed: 7 });
      const model = providerChat({
        kind: 'openai',
        baseUrl: flaky.url,
        apiKey: null,
        now: () => now,
      });
      for (let index = 0; index < 100; index++) await model.ask(chatRequestFor('hello'));
      await model.close();
      return flaky.calls.map(({ status }) => status);
    };
    const statuses = await run();
    expect(new Set(statuses)).toEqual(new Set([200, 429, 500]));
    expect(await run()).toEqual(statuses);
  });
});

describe('a chat server on this machine', () => {
  it('is found at the first address that has models', async () => {
    await using first = await startFakeChat();
    await using second = await startFakeChat();
    const gone = 'http://127.0.0.1:1/v1';
    const other = `${first.url}/elsewhere`;
    // A server that responds late is not found.
    await expect.poll(() => findLocalChat([gone, other, second.url, first.url])).toBe(second.url);
    expect(await findLocalChat([gone, other])).toBeNull();
    expect(await findLocalChat([])).toBeNull();
  });
});

it('sends the newer name of the answer’s limit once a model refused the older one', async () => {
  const model = connect(fake.url);
  const before = fake.calls.length;
  for (const name of ['first', 'second'])
    expect(await model.ask(chatRequestFor(`[[newer]] ${name}`, { maxTokens: 90 }))).toMatchObject({
      kind: 'answered',
    });
  expect(fake.calls.length - before).toBe(3);
  expect(await model.ask(chatRequestFor('[[newer]]'))).toMatchObject({ kind: 'request_refused' });
  await model.close();
});
