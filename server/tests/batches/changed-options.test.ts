import { afterEach, describe, expect, it } from 'vitest';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startWithProviders } from '../support/providers.ts';
import { until } from '../support/waiting.ts';

const { server, first, second, client, ...stage } = await startWithProviders();
const { addProvider, addModel, saveModel, start, batchNow, stateOf } = stage;
afterEach(async () => {
  for (const chat of [first, second]) chat.behave({ status: null });
  await expectLedgerChecksToPass(server);
});

const ofEnvironment = 'fake-small';
const status = (id: string, status: 'play' | 'pause') =>
  server.call('playOrPause', { id, status }, client);
const change = (id: string, model: string, more: object = {}) =>
  server.call('changeBatchOptions', { id, model, ...more }, client);
const whenPaused = (id: string) => until(async () => (await stateOf(id)) === 'paused');
const whenCompleted = (id: string) => until(async () => (await stateOf(id)) === 'completed');

/** A batch that its provider refuses, so that it pauses before a row is answered. */
async function startRefused(model?: string) {
  for (const chat of [first, second]) chat.behave({ status: 401 });
  const id = await start(model, { rows: 3 });
  await whenPaused(id);
  for (const chat of [first, second]) chat.behave({ status: null });
  return id;
}

describe('a paused batch that changes its model', () => {
  it('runs with a model of the environment after one that an operator added', async () => {
    const added = await addModel((await addProvider()).id, { submissions_per_row: 1 });
    const id = await startRefused(added.name);
    expect((await change(id, ofEnvironment)).status).toBe(200);
    await status(id, 'play');
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({ answered: 3, charged: 3 });
  });

  it('asks no one once its added model is removed', async () => {
    const added = await addModel((await addProvider()).id, { submissions_per_row: 1 });
    const id = await startRefused(ofEnvironment);
    expect((await change(id, added.name)).status).toBe(200);
    const { db, models } = server.app.ctx;
    await db.deleteFrom('models').where('name', '=', added.name).execute();
    await models.reload();
    const calls = first.calls.length;
    await status(id, 'play');
    await whenPaused(id);
    expect(await batchNow(id)).toMatchObject({ answered: 0, pause_reason: 'provider_refused' });
    expect(first.calls).toHaveLength(calls);
    await server.call('stopFileProcessing', { id }, client);
  });

  it('does not wait for the provider of its earlier model', async () => {
    const { id: provider } = await addProvider({ concurrency: 2 });
    const busy = await addModel(provider, { submissions_per_row: 1 });
    const ahead = await start(busy.name, { rows: 600, mark: '[[held]]' });
    await until(() => second.inFlight === 2);
    const id = await start(busy.name, { rows: 200 });
    await status(id, 'pause');
    const calls = second.calls.length;
    expect((await change(id, ofEnvironment)).status).toBe(200);
    await status(id, 'play');
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({ answered: 200, charged: 200 });
    expect([second.inFlight, second.calls.length]).toEqual([2, calls]);
    await server.call('stopFileProcessing', { id: ahead }, client);
    await until(async () => {
      second.releaseHeld();
      return (await batchNow(ahead)).held === 0;
    });
  });

  it.each([
    ['a row', { submissions_per_row: 1 }, { submissions_per_row: 2 }],
    [
      'tokens',
      { submissions_per_row: 1, price_tokens: 100, answer_tokens: 40 },
      { submissions_per_row: 1, price_tokens: 200, answer_tokens: 80 },
    ],
    [
      'tokens, then a row',
      { submissions_per_row: 1, price_tokens: 100, answer_tokens: 40 },
      { submissions_per_row: 2, price_tokens: null, answer_tokens: null },
    ],
  ])('keeps its price for %s when its model has another one', async (_what, before, after) => {
    const provider = (await addProvider()).id;
    const model = await addModel(provider, before);
    const id = await startRefused(model.name);
    const { price, max_tokens } = await batchNow(id);
    expect(await saveModel({ ...model, ...after })).toMatchObject(after);
    expect((await change(id, model.name, { temperature: 0.5 })).status).toBe(200);
    expect(await batchNow(id)).toMatchObject({ price, max_tokens });
    // Another model has to have the price of the batch.
    const other = await addModel(provider, after);
    expect((await change(id, other.name)).body.fields).toEqual({ model: expect.any(String) });
    await status(id, 'play');
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({ answered: 3, charged: 3 });
  });
});
