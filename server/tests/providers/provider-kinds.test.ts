import { optionsOfKind, type ProviderKind } from '@rowmill/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import type { LimitNames } from '../../../fakes/chat/wire/limit-names.ts';
import { providerChat } from '../../src/adapters/provider-chat.ts';
import type { ChatModel, ChatRequest } from '../../src/engine/port.ts';
import { chatRequestFor } from '../support/chat-request.ts';

const key = 'sk-test-0123456789abcdef';
const now = Date.parse('2026-03-01T12:00:00Z');
const paths: Record<ProviderKind, string> = {
  openai: '/v1',
  anthropic: '/anthropic/v1',
  gemini: '/v1beta',
  azure: '/openai',
};

/** Whole addresses of a call, as documentation and portals show them, with some model. */
const wholePaths: Record<ProviderKind, string[]> = {
  openai: ['/v1/chat/completions'],
  anthropic: ['/anthropic/v1/messages'],
  gemini: ['/v1beta/models/gemini-2.5-flash:generateContent'],
  azure: [
    '/openai/deployments/gpt-4o/chat/completions?api-version=2025-01-01-preview',
    '/openai/deployments/gpt-4o/chat/completions/',
    '/openai/v1/chat/completions',
    '/openai/v1/',
  ],
};

const noLimits = { bucketPerMinute: null, tokensPerMinute: null, outputTokensPerMinute: null };

/** The fake's limits fill up while the test runs. Within 50. */
const about = (seconds: number) => expect.closeTo(seconds, -2);

/** Headers that are not those of the kind, and what is read in them. */
const otherLimits: Record<ProviderKind, [of: string, names: LimitNames, expected: object[]][]> = {
  openai: [
    [
      'Cerebras, without those of a day',
      'cerebras',
      [{ of: 'tokens', limit: 120, remaining: 108, seconds: about(360) }],
    ],
    [
      'Mistral, as limits of a minute without a reset',
      'mistral',
      [
        { of: 'requests', limit: 60, remaining: 58, seconds: 2 },
        { of: 'tokens', limit: 120, remaining: 108, seconds: 6 },
      ],
    ],
  ],
  azure: [['old deployments, which state no limit with what is left', 'remaining', []]],
  anthropic: [],
  gemini: [],
};

let fake: FakeChat;
beforeAll(async () => {
  fake = await startFakeChat({ key });
});
afterAll(() => fake.close());

describe.each(Object.entries(paths) as [ProviderKind, string][])(
  'a provider of kind %s',
  (kind, path) => {
    const open: ChatModel[] = [];
    const connect = (apiKey: string | null = key, end = path) => {
      const baseUrl = new URL(end, fake.url).href;
      const chat = providerChat({ kind, baseUrl, apiKey, now: () => now });
      open.push(chat);
      return chat;
    };
    const ask = (prompt: string, options: Partial<ChatRequest> = {}, chat = connect()) =>
      chat.ask(chatRequestFor(prompt, { model: 'fake-small', ...options }));
    afterAll(async () => {
      for (const chat of open) await chat.close();
    });

    it.each(wholePaths[kind])('answers when its address is entered as %s', async (end) => {
      expect(await ask('Hello', {}, connect(key, end))).toMatchObject({ kind: 'answered' });
    });

    it('answers, with what it counted', async () => {
      const outcome = await ask('Wie geht’s? 你好', {
        system: 'Be brief.',
        maxTokens: 90,
        temperature: 1,
      });
      expect(outcome).toEqual({
        kind: 'answered',
        text: 'Answer to: Wie geht’s? 你好',
        by: expect.stringMatching(/^fake-small at 127\.0\.0\.1:\d+$/),
        tokens: { input: 4, cached: 1, output: 7, reasoning: kind === 'anthropic' ? 0 : 1 },
        ...(['openai', 'azure'].includes(kind) && { tier: 'default' }),
      });
    });

    it.each([
      ['no usage', '[[uncounted]]'],
      ['usage without counts', '[[usage]]'],
      ['counts of nothing', '[[usage null]]'],
      ['negative counts', '[[usage -7]]'],
      ['counts as text', '[[usage "12"]]'],
      ['broken counts', '[[usage 0.5]]'],
      ['absurd counts', '[[usage 1e15]]'],
      ['counts beyond numbers', '[[usage 1e999]]'],
      ['counts of the input alone', '[[only input]]'],
      ['counts of the output alone', '[[only output]]'],
    ])('answers without tokens when it sends %s', async (_what, prompt) => {
      const outcome = await ask(prompt);
      const text = `Answer to: ${prompt}`;
      expect(outcome).toMatchObject({ kind: 'answered', text, tokens: null });
    });

    it('counts a prompt that it blocked', async () => {
      const outcome = await ask('[[refusal]]');
      const output = kind === 'gemini' ? 0 : 6;
      expect(outcome).toMatchObject({ kind: 'row_refused', tokens: { input: 3, output } });
    });

    it('states the limits of its key in its own headers, if it has any', async () => {
      const hour = { bucketPerMinute: 1, tokensPerMinute: 2, bucketSeconds: 3_600 };
      const output = kind === 'anthropic' ? { outputTokensPerMinute: 3 } : {};
      fake.behave({ ...hour, ...output, statesLimits: true });
      await ask('Hello');
      const outcome = await ask('Hello');
      fake.behave({ ...noLimits, statesLimits: false });
      const limits = outcome.kind === 'answered' ? (outcome.limits ?? []) : [];
      const found = limits.map(({ resetMilliseconds, ...limit }) => ({
        ...limit,
        minutes: Math.round(resetMilliseconds / 60_000),
      }));
      const requests = { of: 'requests', limit: 60, remaining: 58, minutes: 2 };
      const tokens = { of: 'tokens', limit: 120, remaining: 108, minutes: 6 };
      const outputTokens = { of: 'output_tokens', limit: 180, remaining: 172, minutes: 3 };
      const stated = { openai: [], azure: [], anthropic: [outputTokens] };
      expect(found).toEqual(kind === 'gemini' ? [] : [requests, tokens, ...stated[kind]]);
    });

    it.each(otherLimits[kind])(
      'reads the limits in the headers of %s',
      async (_of, limitNames, expected) => {
        const hour = { bucketPerMinute: 1, tokensPerMinute: 2, bucketSeconds: 3_600 };
        fake.behave({ ...hour, statesLimits: true, limitNames });
        await ask('Hello');
        const outcome = await ask('Hello');
        fake.behave({ ...noLimits, statesLimits: false, limitNames: 'openai' });
        expect(outcome.kind).toBe('answered');
        const found = (outcome.limits ?? []).map(({ resetMilliseconds, ...limit }) => ({
          ...limit,
          seconds: Math.round(resetMilliseconds / 1_000),
        }));
        expect(found).toEqual(expected);
      },
    );

    it('is asked with every option that it takes', async () => {
      const options = {
        temperature: 0.5,
        topP: 0.9,
        maxTokens: 90,
        stop: ['END'],
        seed: optionsOfKind(kind).includes('seed') ? 7 : undefined,
        reasoningEffort: 'medium' as const,
      };
      const outcome = await ask('Begin END rest', { ...options, model: 'gemini-3-pro' });
      expect(outcome).toMatchObject({ kind: 'answered', text: 'Answer to: Begin ' });
      const inAll = { temperature: 0.5, top_p: 0.9, max_tokens: 90, stop: ['END'] };
      const seed = kind === 'anthropic' ? {} : { seed: 7 };
      const asked = { ...inAll, ...seed, reasoning_effort: 'medium' };
      expect(fake.calls.at(-1)?.options).toEqual(asked);
    });

    it.each([
      [
        'none',
        'gpt-5.1',
        { openai: 'none', azure: 'none', anthropic: 'disabled', gemini: 'minimal' },
      ],
      [
        'none',
        'gemini-2.5-flash',
        { openai: 'none', azure: 'none', anthropic: 'disabled', gemini: 0 },
      ],
      [
        'minimal',
        'gemini-2.5-flash',
        { openai: 'minimal', azure: 'minimal', anthropic: 'low', gemini: 1_024 },
      ],
      [
        'xhigh',
        'gemini-2.5-flash',
        { openai: 'xhigh', azure: 'xhigh', anthropic: 'xhigh', gemini: 24_576 },
      ],
      [
        'xhigh',
        'gemini-3-pro',
        { openai: 'xhigh', azure: 'xhigh', anthropic: 'xhigh', gemini: 'high' },
      ],
    ] as const)(
      'is asked to think with effort %s, model %s',
      async (reasoningEffort, model, sent) => {
        await ask('Hello', { reasoningEffort, model });
        expect(fake.calls.at(-1)?.options).toMatchObject({ reasoning_effort: sent[kind] });
      },
    );

    it('marks only a long system prompt for the cache, where the provider wants that', async () => {
      const marks = [];
      for (const system of ['Be brief.', 'Be brief. '.repeat(400)]) {
        expect(await ask('Hello', { system })).toMatchObject({ kind: 'answered' });
        marks.push(fake.calls.at(-1)?.options?.cache_control);
      }
      const mark = kind === 'anthropic' ? { type: 'ephemeral' } : undefined;
      expect(marks).toEqual([undefined, mark]);
    });

    it('answers in columns of every type', async () => {
      const outputs = [
        { name: 'tone', type: 'choice' as const, options: ['kind', 'rude'] },
        { name: 'words', type: 'integer' as const, may_be_empty: true },
      ];
      for (const format of ['schema', 'words'] as const) {
        const outcome = await ask('A “red” kettle', { outputs, format });
        const values = JSON.parse(outcome.kind === 'answered' ? outcome.text : '{}');
        expect(values).toEqual({
          tone: expect.stringMatching(/^(kind|rude)$/),
          words: expect.any(Number),
        });
      }
    });

    it('is shown an answer that could not be used', async () => {
      const correction = { answer: 'I would rather talk.', problem: 'It is not JSON.' };
      const outcome = await ask('[[corrected]]', { correction, outputs: ['tone'] });
      expect(outcome).toMatchObject({ kind: 'answered', text: expect.stringContaining('tone') });
    });

    it.each([
      ['a request at fault', '[[status 400]]', 'request_refused'],
      ['an unknown model', '[[status 404]]', 'request_refused'],
      ['a prompt that is too large', '[[status 413]]', 'row_refused'],
      ['an answer that is cut off', '[[length]]', 'row_refused'],
      ['a safety stop', '[[filter]]', 'row_refused'],
      ['a refusal', '[[refusal]]', 'row_refused'],
      ['no text', '[[empty]]', 'row_refused'],
      ['too large an answer', '[[huge]]', 'row_refused'],
      ['a key without rights', '[[status 403]]', 'provider_refused'],
      ['an error of its own', '[[status 500]]', 'broken'],
      ['half an answer', '[[truncated]]', 'broken'],
      ['a page', '[[html]]', 'broken'],
      ['a broken connection', '[[reset]]', 'broken'],
      ['a limit', '[[status 429]]', 'try_later'],
      ['an overload', '[[status 503]]', 'try_later'],
      ['an overload in Anthropic’s way', '[[status 529]]', 'try_later'],
    ])('with %s has the right outcome', async (_what, prompt, outcome) => {
      expect(await ask(prompt)).toMatchObject({
        kind: outcome,
        reason: expect.stringMatching(/^[A-Z].{10,}/),
      });
    });

    it.each([
      ['an answer that is cut off', '[[uncounted length]]', null],
      ['a safety stop', '[[uncounted filter]]', null],
      ['too large an answer', '[[huge]]', null],
      ['half an answer', '[[truncated]]', null],
      ['a page', '[[html]]', null],
      ['a request at fault', '[[status 400]]', undefined],
      ['an error of its own', '[[status 500]]', undefined],
      ['a limit', '[[status 429]]', undefined],
      ['a broken connection', '[[reset]]', undefined],
    ])('with %s knows whether the call is paid', async (_what, prompt, tokens) => {
      expect((await ask(prompt)).tokens).toBe(tokens);
    });

    it('says when it wants the next call', async () => {
      const outcome = await ask('[[429 retry-after 7]]');
      expect(outcome).toMatchObject({ kind: 'try_later', retryAt: now + 7_000 });
    });

    it('does not accept another key, and no text repeats it', async () => {
      const wrong = 'sk-wrong-0123456789';
      const outcome = await ask('Hello', {}, connect(wrong));
      expect(outcome).toMatchObject({ kind: 'provider_refused' });
      expect(JSON.stringify(await ask(`[[repeat 400]] ${key}`))).not.toContain(key);
    });

    it('lists its models, if it has a list', async () => {
      const models = kind === 'azure' ? [] : [{ id: 'fake-small' }, { id: 'fake-large' }];
      expect(await connect().listModels()).toEqual(models);
    });

    it('stays at its own path whatever the model is called', async () => {
      const outcome = await ask('Hello', { model: '../../v1/models?x=' });
      expect(outcome.kind).toBe('answered');
    });
  },
);
