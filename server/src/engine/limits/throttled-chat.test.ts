import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeChat } from '../../../../fakes/chat/server.ts';
import { chatRequestFor } from '../../../tests/support/chat-request.ts';
import { providerChat } from '../../adapters/provider-chat.ts';
import { monotonicNow as now } from '../../lib/clock.ts';
import { providerLimits } from './provider-lanes.ts';
import { throttledChat } from './throttled-chat.ts';

const fake = await startFakeChat();
const provider = providerChat({ kind: 'openai', baseUrl: fake.url, apiKey: null, now });
const perMinute = { requests_per_minute: null, tokens_per_minute: null };
const limitsOf = () => ({ ...perMinute, concurrency: 4, limits_per: 'key' as const });
const limitsFor = (name: string) =>
  providerLimits({
    models: { keyOf: () => name, laneOf: () => ({ name, perMinute }), limitsOf },
    now,
  });
const limits = limitsFor('fake');
afterAll(async () => {
  await provider.close();
  await fake.close();
});
let before = 0;
beforeEach(() => {
  before = fake.calls.length;
});
const calls = () => fake.calls.length - before;

/** The provider is well again after its first reply. */
const flaky = {
  ...provider,
  ask: async (request: Parameters<typeof provider.ask>[0]) => {
    const outcome = await provider.ask(request);
    fake.behave({ status: null, retryAfter: null });
    return outcome;
  },
};
const chat = throttledChat(flaky, { limits, now });
const asked = (prompt: string) => chat.ask(chatRequestFor(prompt, { person: 'a person' }));

describe('a single prompt or tried row', () => {
  it.each([
    ['a failure', { status: 500 }],
    ['a refusal that names no time', { status: 429 }],
    ['a refusal that names the next second', { status: 429, retryAfter: 1 }],
    ['a refused key', { status: 401 }],
  ])('is tried once more after %s', async (_what, behaviour) => {
    fake.behave(behaviour);
    expect(await asked('Why?')).toMatchObject({ kind: 'answered', text: 'Answer to: Why?' });
    expect(calls()).toBe(2);
  });

  it.each([
    ['what would fail again', { status: 400 }, 'Why?'],
    ['a refusal that names a later time', { status: 429, retryAfter: 60 }, 'Why?'],
    ['an exhausted quota of the day', {}, '[[quota of the day]]'],
  ])('is not tried again after %s', async (_what, behaviour, prompt) => {
    fake.behave(behaviour);
    expect((await asked(prompt)).kind).not.toBe('answered');
    expect(calls()).toBe(1);
  });

  it('is not sent during a cooldown of the key', async () => {
    const { limiter } = limits.of('demo');
    limiter.startCooldown(now() + 60_000);
    const reason = 'The provider asks us to wait 60 seconds.';
    expect(await asked('Why?')).toMatchObject({ kind: 'try_later', reason });
    expect(calls()).toBe(0);
  });
});

it('a probe is not tried again', async () => {
  fake.behave({ status: 500 });
  await throttledChat(provider, {
    limits: limitsFor('other'),
    now,
  }).ask(chatRequestFor('Are you there?'));
  expect(calls()).toBe(1);
});
