import { afterEach, describe, expect, it } from 'vitest';
import { pauseByEngine } from '../../src/domains/batches/lifecycle/engine-pause.ts';
import { returnAbandonedReservations } from '../../src/domains/batches/slices/recover.ts';
import { minute } from '../../src/lib/clock.ts';
import { modelRemoved } from '../../src/texts/model-calls.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startWithProviders } from '../support/providers.ts';
import { asOwner } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { retryWhileBusy, until } from '../support/waiting.ts';

const { server, first, second, client, ...stage } = await startWithProviders();
const { providerToSave, addProvider, saveModel, addModel, ask, start, batchNow, stateOf } = stage;
afterEach(async () => {
  for (const chat of [first, second]) chat.behave({ down: false, status: null });
  await expectLedgerChecksToPass(server);
});

const { db } = server.app.ctx;
/** Deletes the row of a model, and returns it. */
async function removeModel(name: string) {
  const row = await db
    .deleteFrom('models')
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirstOrThrow();
  await server.app.ctx.models.reload();
  return row;
}
const play = (id: string) => server.call('playOrPause', { id, status: 'play' }, client);
const answeredBy = async (id: string) => {
  const { body } = await server.call('getRows', { id, start: 0, limit: 20 }, client);
  return body.rows.map(({ answered_by }) => answered_by);
};
/** Releases what the second provider holds until the batch has ended. */
const releaseUntilEnded = (id: string) =>
  until(async () => {
    second.releaseHeld();
    return (await stateOf(id)) === 'completed';
  });

// Before any provider was down: afterwards fewer calls may be in flight for a while.
describe('calls beside the batches of a provider', () => {
  /** `CHAT_CONCURRENCY` of the first provider. */
  const concurrency = 16;
  const whenReleased = (isDone: () => boolean | Promise<boolean>) =>
    until(() => {
      first.releaseHeld();
      return isDone();
    });
  const isCompleted = async (id: string) => (await stateOf(id)) === 'completed';

  /** As many others run as its batches may have, and a batch runs at full speed. */
  async function expectConnectionsForBatch() {
    await until(() => first.inFlight === concurrency);
    const id = await start(undefined, { mark: '[[held]]' });
    await until(() => first.inFlight === concurrency + 12);
    await whenReleased(() => isCompleted(id));
  }

  it('leave them their connections: single prompts of another person', async () => {
    const opening = await start(undefined);
    await until(() => isCompleted(opening));
    const other = await createUser(server, { submissions: 32 });
    const request = { question: 'Slow? [[held]]', query: {} };
    let answered = 0;
    const asked = Array.from({ length: 32 }, async () => {
      const { status } = await retryWhileBusy(() => server.call('askChatGpt', request, other));
      answered += Number(status === 200);
    });
    await expectConnectionsForBatch();
    await whenReleased(() => answered === asked.length);
  });

  it('are charged when they take two deadlines, as with a fallback', async () => {
    const other = await createUser(server, { submissions: 1 });
    const request = { question: 'Slower? [[held]]', query: {} };
    const asked = server.call('askChatGpt', request, other);
    await until(() => first.inFlight === 1);
    server.clock.advance(4 * 60_000);
    await returnAbandonedReservations(server.app.ctx);
    first.releaseHeld();
    expect((await asked).body).toMatchObject({ status: true, creditsAvailable: 0 });
  });

  it('leave them their connections: rows of a model that it stands in for', async () => {
    const fallback = await addModel(null, { offered_to: 'none' });
    const { id: provider } = await addProvider({ concurrency: 64 });
    const model = await addModel(provider, { fallback: fallback.name });
    second.behave({ down: true });
    const opening = await start(model.name);
    await until(() => isCompleted(opening));
    const id = await start(model.name, { rows: 64, mark: '[[held]]' });
    await expectConnectionsForBatch();
    await whenReleased(() => isCompleted(id));
    expect(await batchNow(id)).toMatchObject({ answered: 64, failed: 0 });
  });
});

describe('a provider that is down', () => {
  it('is replaced by the model that stands in, also for rows, at the promised price', async () => {
    const fallback = await addModel(null, { submissions_per_row: 9, offered_to: 'none' });
    const { id } = await addProvider();
    const model = await addModel(id, { fallback: fallback.name });
    second.behave({ down: true });
    const batch = await start(model.name);
    await until(async () => (await stateOf(batch)) === 'completed');
    expect(await batchNow(batch)).toMatchObject({ answered: 12, failed: 0, charged: 36 });
    expect((await ask(model.name)).status).toBe(200);
    const rows = await server.call('getRows', { id: batch, start: 0, limit: 20 }, client);
    const { host } = new URL(first.url);
    for (const row of rows.body.rows) expect(row.answered_by).toBe(`fake-small at ${host}`);
    second.behave({ down: false });
  });

  it('is not replaced for others when only the calls of one person break', async () => {
    const fallback = await addModel(null, { offered_to: 'none' });
    const model = await addModel((await addProvider()).id, { fallback: fallback.name });
    const other = await createUser(server, { submissions: 10 });
    // Each of its rows breaks twice, and is answered by the fallback.
    const id = await start(model.name, { rows: 40, mark: '[[status 500]]' });
    await until(() => first.calls.some(({ prompt }) => prompt.includes(`of ${model.name} `)));
    const calls = first.calls.length;
    expect((await ask(model.name, {}, other)).status).toBe(200);
    const prompts = first.calls.slice(calls).map(({ prompt }) => prompt);
    expect(prompts).not.toContain('What is baked?');
    await server.call('stopFileProcessing', { id }, client);
  });

  it('is named to operators, with its fallback, until it answers again', async () => {
    const fallback = await addModel(null, { offered_to: 'none' });
    const { id } = await addProvider();
    const model = await addModel(id, { submissions_per_row: 0, fallback: fallback.name });
    const isNamed = async () => {
      const { body } = await server.call('getOverview', {}, stage.operator);
      return body.failed_over.some(
        (named) => named.model === model.label && named.fallback === fallback.label,
      );
    };
    const isMarked = async () =>
      (await server.call('getProviders', {}, stage.operator)).body.failed_over.includes(model.name);
    expect([await isNamed(), await isMarked()]).toEqual([false, false]);
    second.behave({ down: true });
    await start(model.name);
    await until(isNamed);
    expect(await isMarked()).toBe(true);
    server.clock.advance(15 * 60_000);
    expect(await isNamed()).toBe(false);
    await until(async () => {
      await ask(model.name);
      return isNamed();
    });
    second.behave({ down: false });
    await until(async () => {
      // So that no limit of calls in a minute is met.
      server.clock.advance(1_000);
      await ask(model.name);
      return !(await isNamed());
    });
    second.behave({ down: true });
    await until(async () => {
      await ask(model.name);
      return isNamed();
    });
    second.behave({ down: false });
    const { body } = await server.call('testProvider', { id }, stage.operator);
    expect(body).toMatchObject({ works: true });
    expect([await isNamed(), await isMarked()]).toEqual([false, false]);
  });

  it('is not replaced when it refuses the request', async () => {
    const fallback = await addModel(null);
    const model = await addModel((await addProvider()).id, { fallback: fallback.name });
    const calls = first.calls.length;
    second.behave({ status: 400 });
    expect(await ask(model.name)).toMatchObject({ body: { code: 'model_failed' } });
    expect(first.calls).toHaveLength(calls);
    second.behave({ status: null });
  });

  it('pauses only its batches without a fallback, until it is up again', async () => {
    const fallback = await addModel(null, { offered_to: 'none' });
    const { id } = await addProvider();
    const model = await addModel(id);
    const withFallback = await addModel(id, { fallback: fallback.name });
    second.behave({ down: true });
    const lost = await start(model.name);
    await until(async () => (await stateOf(lost)) === 'paused');
    expect(await batchNow(lost)).toMatchObject({ pause_reason: 'provider_down' });
    for (const name of [undefined, withFallback.name]) {
      const other = await start(name, { rows: 40 });
      await until(async () => (await stateOf(other)) !== 'running');
      expect(await batchNow(other)).toMatchObject({ state: 'completed', answered: 40 });
    }
    expect(await stateOf(lost)).toBe('paused');
    second.behave({ down: false });
    await until(async () => (await stateOf(lost)) === 'completed');
    expect(await batchNow(lost)).toMatchObject({ answered: 12, failed: 0 });
  });

  it('lets its paused batches run on when their model gets a fallback', async () => {
    const fallback = await addModel(null, { offered_to: 'none' });
    const model = await addModel((await addProvider()).id);
    second.behave({ down: true });
    const id = await start(model.name);
    await until(async () => (await stateOf(id)) === 'paused');
    await saveModel({ ...model, fallback: fallback.name });
    await until(async () => (await stateOf(id)) === 'completed');
    expect(await batchNow(id)).toMatchObject({ answered: 12, failed: 0 });
  });

  it('pauses batches that are started or played meanwhile', async () => {
    const model = await addModel((await addProvider()).id);
    second.behave({ down: true });
    const played = await start(model.name);
    await until(async () => (await stateOf(played)) === 'paused');
    const started = await start(model.name);
    await play(played);
    for (const id of [started, played]) {
      await until(async () => (await stateOf(id)) === 'paused');
      expect(await batchNow(id)).toMatchObject({ pause_reason: 'provider_down', answered: 0 });
    }
    second.behave({ down: false });
    for (const id of [started, played])
      await until(async () => (await stateOf(id)) === 'completed');
  });

  it('lets batches run on whose process missed its end, also beside one that cannot', async () => {
    const model = await addModel((await addProvider()).id);
    const ids = [
      await start(model.name, { mark: '[[held]]' }),
      await start(model.name, { mark: '[[held]]' }),
    ];
    const { ctx } = server.app;
    for (const batchId of ids) await pauseByEngine(ctx, { batchId, reason: 'provider_down' });
    const refuse = `create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'locked' using errcode = '55P03'; end $$;
      create trigger refused before update on batches for each row
        when (new.id = '${ids[0]}' and new.state = 'running') execute function refuse()`;
    await asOwner(server, refuse);
    server.clock.advance(2 * minute);
    await releaseUntilEnded(ids[1] ?? '');
    await asOwner(server, 'drop function refuse() cascade');
    for (const id of ids) await releaseUntilEnded(id);
    for (const id of ids) expect(await batchNow(id)).toMatchObject({ answered: 12, failed: 0 });
  });

  it.each([
    ['is turned off', { is_enabled: false }],
    ['refuses our key', { key: 'sk-expired' }],
  ])('keeps its batch waiting until it is up while its fallback %s', async (_what, settings) => {
    const fallback = await addModel((await addProvider(settings)).id, { offered_to: 'none' });
    const model = await addModel(null, { fallback: fallback.name });
    first.behave({ down: true });
    expect(await ask(model.name)).toMatchObject({ body: { code: 'model_failed' } });
    const id = await start(model.name);
    await until(async () => (await stateOf(id)) === 'paused');
    expect(await batchNow(id)).toMatchObject({ pause_reason: 'provider_down' });
    first.behave({ down: false });
    await until(async () => (await stateOf(id)) === 'completed');
    expect(await batchNow(id)).toMatchObject({ answered: 12, failed: 0 });
  });

  it('keeps its batch waiting, uncharged, while its fallback is down too', async () => {
    const fallback = await addModel(null, { submissions_per_row: 9, offered_to: 'none' });
    const model = await addModel((await addProvider()).id, { fallback: fallback.name });
    for (const chat of [first, second]) chat.behave({ down: true });
    const id = await start(model.name);
    await until(async () => (await stateOf(id)) === 'paused');
    expect(await batchNow(id)).toMatchObject({
      pause_reason: 'provider_down',
      answered: 0,
      failed: 0,
      charged: 0,
      held: 36,
    });
    expect(await ask(model.name)).toMatchObject({ body: { code: 'model_failed' } });
    first.behave({ down: false });
    await until(async () => (await stateOf(id)) === 'completed');
    expect(await batchNow(id)).toMatchObject({ answered: 12, failed: 0, charged: 36, held: 0 });
    const { host } = new URL(first.url);
    expect(new Set(await answeredBy(id))).toEqual(new Set([`fake-small at ${host}`]));
  });
});

type Provider = Awaited<ReturnType<typeof addProvider>>;
const freeOfCharge = { submissions_per_row: 0 };
type Model = Awaited<ReturnType<typeof addModel>>;

describe('a batch whose model changes while it runs', () => {
  it('keeps the price that was quoted', async () => {
    const model = await addModel((await addProvider()).id);
    const id = await start(model.name, { mark: '[[held]]' });
    await until(() => second.inFlight > 0);
    await saveModel({ ...model, submissions_per_row: 50 });
    await releaseUntilEnded(id);
    expect(await batchNow(id)).toMatchObject({ price: 3, answered: 12, charged: 36, held: 0 });
  });

  it('continues when the model is offered to no one', async () => {
    const model = await addModel((await addProvider()).id);
    const id = await start(model.name, { mark: '[[held]]' });
    await until(() => second.inFlight > 0);
    await saveModel({ ...model, offered_to: 'none' });
    expect(await ask(model.name)).toMatchObject({ status: 422 });
    await releaseUntilEnded(id);
    expect(await batchNow(id)).toMatchObject({ answered: 12, charged: 36 });
  });

  it('continues at once when its provider waits and the model moves to another', async () => {
    second.behave({ status: 429, retryAfter: 6 * 3_600 });
    const { id: provider } = await addProvider();
    const [model, other] = [await addModel(provider), await addModel(provider, freeOfCharge)];
    const many = await start(other.name, { rows: 1_200 });
    await until(async () => (await batchNow(many)).waits_until !== undefined);
    // Its second slice stays in the queue, because the lane is full.
    const id = await start(model.name, { rows: 40 });
    await saveModel({ ...model, provider_id: null });
    await until(async () => (await stateOf(id)) === 'completed');
    expect(await batchNow(id)).toMatchObject({ answered: 40, failed: 0, charged: 120 });
    await server.call('stopFileProcessing', { id: many }, client);
  });

  const replaceKey = ({ id, name, version }: Provider) =>
    server.call('saveProvider', providerToSave({ id, name, version }), stage.operator);
  const moveAndDelete = async ({ id }: Provider, model: Model) => {
    await saveModel({ ...model, provider_id: (await addProvider()).id });
    return server.call('deleteProvider', { id: id ?? '' }, stage.operator);
  };
  it.each([
    ['with a key that was replaced', replaceKey],
    ['by a provider that its model left and that was deleted', moveAndDelete],
  ])('does not pause when calls in flight are refused %s', async (_how, change) => {
    const provider = await addProvider();
    const model = await addModel(provider.id);
    second.behave({ status: 401, latency: 1_000 });
    const id = await start(model.name);
    // As many refusals pause a batch.
    await until(() => second.inFlight === 3);
    second.behave({ status: null, latency: 0 });
    expect(await change(provider, model)).toMatchObject({ status: 200 });
    await until(async () => (await stateOf(id)) !== 'running');
    expect(await batchNow(id)).toMatchObject({ state: 'completed', answered: 12, charged: 36 });
    expect(second.calls.filter(({ status }) => status === 401).length).toBeGreaterThan(0);
  });

  it('pauses when the provider is turned off, and continues when it is turned on', async () => {
    const provider = await addProvider();
    const model = await addModel(provider.id);
    const id = await start(model.name, { mark: '[[held]]' });
    await until(() => second.inFlight > 0);
    const turn = (is_enabled: boolean, version: number) =>
      server.call(
        'saveProvider',
        providerToSave({ name: provider.name, id: provider.id, version, is_enabled }),
        stage.operator,
      );
    const { body } = await turn(false, provider.version);
    // Calls in flight end at the old provider, and are stored and charged.
    second.releaseHeld();
    await until(async () => (await stateOf(id)) === 'paused');
    const paused = await batchNow(id);
    expect(paused).toMatchObject({ pause_reason: 'provider_refused', failed: 0 });
    expect(paused.charged).toBe(3 * paused.answered);
    await turn(true, body.provider.version);
    await releaseUntilEnded(id);
    expect(await batchNow(id)).toMatchObject({ answered: 12, failed: 0, charged: 36 });
  });

  it.each([
    ['of an added provider', async () => addModel((await addProvider()).id)],
    ['of the environment’s provider', () => addModel(null, { name: 'fake-large' })],
  ])('pauses when its model %s is removed, and goes on when it is back', async (_of, add) => {
    const model = await add();
    const chat = model.provider_id ? second : first;
    const id = await start(model.name, { rows: 40, mark: '[[held]]' });
    await until(() => chat.inFlight > 0);
    const row = await removeModel(model.name);
    const asked = [first.calls.length, second.calls.length];
    // Calls in flight end, and are stored and charged.
    await until(async () => {
      chat.releaseHeld();
      return (await stateOf(id)) === 'paused' && chat.inFlight === 0;
    });
    const paused = await batchNow(id);
    expect(paused).toMatchObject({ pause_reason: 'provider_refused', failed: 0 });
    expect(paused.pause_detail).toBe(modelRemoved);
    // It pauses again, and nothing is sent to any provider.
    expect((await play(id)).status).toBe(200);
    await until(async () => (await stateOf(id)) === 'paused');
    expect([first.calls.length, second.calls.length]).toEqual(asked);
    const { answered, charged } = await batchNow(id);
    expect(answered).toBeLessThan(40);
    expect(charged).toBe(3 * answered);
    await db.insertInto('models').values(row).execute();
    await server.app.ctx.models.reload();
    expect((await play(id)).status).toBe(200);
    await until(async () => {
      chat.releaseHeld();
      const state = await stateOf(id);
      // A refusal from before may pause it once more.
      if (state === 'paused') await play(id);
      return state === 'completed';
    });
    expect(await batchNow(id)).toMatchObject({ answered: 40, failed: 0, charged: 120, held: 0 });
    expect([first.calls.length, second.calls.length]).not.toEqual(asked);
  });

  it('asks no other provider whether its own is up when its model is removed', async () => {
    const model = await addModel((await addProvider()).id);
    second.behave({ down: true });
    const id = await start(model.name);
    await until(async () => (await stateOf(id)) === 'paused');
    const asked = first.calls.length;
    await removeModel(model.name);
    await until(async () => (await batchNow(id)).pause_reason === 'provider_refused');
    expect(await batchNow(id)).toMatchObject({ answered: 0, failed: 0, charged: 0 });
    expect(first.calls).toHaveLength(asked);
  });
});
