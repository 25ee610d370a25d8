import { expect, it } from 'vitest';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { BatchClient } from '../support/batches.ts';
import { closeAtEnd } from '../support/closing.ts';
import { startWithProviders } from '../support/providers.ts';
import { until } from '../support/waiting.ts';

const { server, operator, addModel, addProvider, ask, providerToSave } = await startWithProviders();
const one = await BatchClient.create(server, 3_000);
const other = await BatchClient.create(server, 2_000);
const prompts = (count: number) => Array.from({ length: count }, (_, row) => `Row ${row}`);

/** Two models of one key, of which the provider limits the first. */
async function addBoth(bucketPerMinute: number) {
  const chat = await startFakeChat({ models: ['slow', 'fast'] });
  closeAtEnd(() => chat.close());
  chat.behave({ bucketPerMinute, limitedModel: 'slow' });
  const { id } = await addProvider({ address: chat.url, concurrency: 16, limits_per: 'model' });
  const add = (asked_as: string) => addModel(id, { asked_as, submissions_per_row: 1 });
  return { chat, slow: (await add('slow')).name, fast: (await add('fast')).name };
}

it('a model at its limit slows no other model of its key', async () => {
  const { chat, slow, fast } = await addBoth(600);
  const limited = await one.start(prompts(600), { query: { model: slow } });
  await until(() => chat.calls.some(({ status }) => status === 429));
  const { id } = await other.start(prompts(1_000), { query: { model: fast } });
  expect(await other.whenEnded(id)).toMatchObject({ answered: 1_000, failed: 0 });
  // At 10 rows a second. With one limit for both, they would end together.
  const { answered, state } = await one.batch(limited.id);
  expect({ state, isEarly: answered < 400 }).toEqual({ state: 'running', isEarly: true });
  await one.stop(limited.id);
});

it('the time that a provider names for a model stops no other model', async () => {
  const { slow, fast } = await addBoth(1);
  // The one that the limit allows. Then the first three calls of the batch are refused.
  expect(await ask(slow)).toMatchObject({ status: 200 });
  const waiting = await one.start(prompts(50), { query: { model: slow } });
  await until(async () => !!(await ask(slow)).body.message?.includes('asks us to wait'));
  expect(await ask(fast, {}, other.user)).toMatchObject({ status: 200 });
  const { id } = await other.start(prompts(50), { query: { model: fast } });
  expect(await other.whenEnded(id)).toMatchObject({ answered: 50, failed: 0 });
  const { throttled } = (await server.call('getOverview', {}, operator)).body;
  expect(throttled).toEqual([
    { model: expect.stringMatching(/^Provider \d+ model-\d+$/), until: expect.any(String) },
  ]);
  await one.stop(waiting.id);
});

it('nearly every call is answered when the limit of a model is entered', async () => {
  const chat = await startFakeChat({ models: ['slow'] });
  closeAtEnd(() => chat.close());
  chat.behave({ bucketPerMinute: 6_000, limitedModel: 'slow' });
  // What is entered for the provider is for models without limits of their own.
  const limits = { limits_per: 'model', requests_per_minute: 60_000 };
  const { id } = await addProvider({ address: chat.url, concurrency: 16, ...limits });
  const own = { asked_as: 'slow', submissions_per_row: 1, requests_per_minute: 6_000 };
  const model = await addModel(id, own);
  expect(model).toMatchObject({ requests_per_minute: 6_000, tokens_per_minute: null });
  const batch = await one.start(prompts(300), { query: { model: model.name } });
  const { answered } = await one.whenEnded(batch.id);
  expect(answered / chat.calls.length).toBeGreaterThan(0.97);
});

it('a batch goes on when an operator changes what the limits count', async () => {
  const chat = await startFakeChat({ models: ['slow'] });
  closeAtEnd(() => chat.close());
  chat.behave({ latency: 20 });
  const { id, version } = await addProvider({ address: chat.url, limits_per: 'key' });
  const { name } = await addModel(id, { asked_as: 'slow', submissions_per_row: 1 });
  const batch = await one.start(prompts(1_500), { query: { model: name } });
  await until(() => chat.calls.length > 50);
  const change = { ...providerToSave({ address: chat.url, limits_per: 'model' }), id, version };
  expect(await server.call('saveProvider', change as never, operator)).toMatchObject({
    body: { provider: { limits_per: 'model' } },
  });
  expect(await one.whenEnded(batch.id)).toMatchObject({ answered: 1_500, failed: 0 });
  expect(chat.calls).toHaveLength(1_500);
});
