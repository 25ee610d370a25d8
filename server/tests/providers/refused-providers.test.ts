import { afterEach, describe, expect, it } from 'vitest';
import { sendDueEmails } from '../../src/domains/batches/emails.ts';
import { resumeRenewed } from '../../src/domains/batches/lifecycle/engine-pause.ts';
import { openModels } from '../../src/open-models.ts';
import { BatchClient } from '../support/batches.ts';
import { chatRequestFor } from '../support/chat-request.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { key, startWithProviders } from '../support/providers.ts';
import { until } from '../support/waiting.ts';

const { server, first, second, operator, client, ...stage } = await startWithProviders();
const { providerToSave, addProvider, addModel, saveModel, start, batchNow, stateOf } = stage;
afterEach(async () => {
  for (const chat of [first, second]) chat.behave({ status: null, latency: 0 });
  await expectLedgerChecksToPass(server);
});

type Provider = Awaited<ReturnType<typeof addProvider>>;
/** Saves a change of a provider, and returns what the operator is told. */
async function save({ id, name, version }: Provider, more: object = {}) {
  const { body } = await server.call(
    'saveProvider',
    providerToSave({ id, name, version, key: undefined, ...more }),
    operator,
  );
  return body;
}
const test = async ({ id }: Pick<Provider, 'id'>) => {
  server.clock.advance(60_000);
  return (await server.call('testProvider', { id, model: 'fake-small' }, operator)).body;
};
const whenPaused = (id: string) =>
  until(async () => (await batchNow(id)).pause_reason === 'provider_refused');
const whenCompleted = (id: string) => until(async () => (await stateOf(id)) === 'completed');
/** The kinds of what the bell of the client shows about a batch, the newest first. */
async function newsOf(id: string) {
  const { body } = await server.call('getNotifications', {}, client);
  return body.notifications.filter(({ path }) => path.endsWith(id)).map(({ kind }) => kind);
}

it('fails many refused rows in a row, also after a restart, when a question with the same options is answered', async () => {
  const owner = await BatchClient.create(server, 100);
  const bad = Array.from({ length: 40 }, (_, row) => `faulty ${row} [[status 400]]`);
  const good = Array.from({ length: 10 }, (_, row) => `fine ${row}`);
  const { id } = await owner.start([...good, ...bad]);
  const expected = { state: 'completed', answered: 10, failed: 40, charged: 10 };
  expect(await owner.whenEnded(id)).toMatchObject(expected);
  const callsOf = (words: string) => first.calls.filter(({ prompt }) => prompt.startsWith(words));
  expect(callsOf('faulty')).toHaveLength(40);
  expect(callsOf('Please answer with the word OK.')).toHaveLength(1);
  await server.restart();
  expect((await owner.retryFailed(id)).status).toBe(200);
  expect(await owner.whenEnded(id)).toMatchObject(expected);
});

it.each([
  ['its key is entered again', (provider: Provider) => save(provider, { key })],
  ['a test of it works', test],
])('calls a provider that asked to wait for hours again at once when %s', async (_, act) => {
  const { provider, id } = await startCooldown();
  expect(await act(provider)).toMatchObject({ status: true });
  await whenCooldownEnded(id);
});

it('finds out by itself within minutes that a wait of hours is over', async () => {
  const { id } = await startCooldown();
  await until(async () => {
    server.clock.advance(60_000);
    return (await cooldowns()).length === 0;
  });
  await whenCooldownEnded(id);
});

const cooldowns = () => server.app.ctx.db.selectFrom('cooldowns').selectAll().execute();
/** Of a provider that asked to wait for hours, and now answers. */
async function startCooldown() {
  second.behave({ status: 429, retryAfter: 6 * 3_600 });
  const provider = await addProvider();
  const id = await start((await addModel(provider.id)).name, { rows: 40 });
  await until(async () => (await cooldowns()).length > 0);
  second.behave({ status: null });
  return { provider, id };
}

async function whenCooldownEnded(id: string) {
  await whenCompleted(id);
  expect(await batchNow(id)).toMatchObject({ answered: 40, failed: 0 });
  expect(await cooldowns()).toEqual([]);
}

describe('a provider that refuses the key', () => {
  it('once pauses nothing', async () => {
    const model = await addModel((await addProvider()).id);
    const calls = second.calls.length;
    second.behave({ status: 401 });
    const id = await start(model.name, { rows: 1 });
    await until(() => second.calls.length > calls);
    second.behave({ status: null });
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({ answered: 1, charged: 3 });
  });

  it('for some rows only, as a filter does, fails them uncharged', async () => {
    const model = await addModel((await addProvider()).id);
    const id = await start(model.name, { rows: 2, mark: '[[status 403]]' });
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({ answered: 0, failed: 2, charged: 0 });
  });

  it('while it answers is called few times more', async () => {
    const { id: providerId, concurrency } = await addProvider();
    const model = await addModel(providerId, { submissions_per_row: 1 });
    second.behave({ latency: 20 });
    const id = await start(model.name, { rows: 100 });
    await until(async () => (await batchNow(id)).answered > 0);
    second.behave({ status: 401 });
    const sent = second.calls.length;
    await whenPaused(id);
    // Until a refusal arrives behind the last answer, rows take the places of answered ones.
    expect(second.calls.length).toBeLessThanOrEqual(sent + 2 * concurrency + 3);
    second.behave({ status: null, latency: 0 });
    await test({ id: model.provider_id });
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({ answered: 100, failed: 0, charged: 100 });
  });
});

describe('batches that a provider refused', () => {
  it('go on when a new key is saved, except those of others or that their owner paused', async () => {
    const provider = await addProvider();
    const model = await addModel(provider.id);
    const own = await start(model.name, { mark: '[[held]]' });
    await until(() => second.inFlight > 0);
    await server.call('playOrPause', { id: own, status: 'pause' }, client);
    second.releaseHeld();
    const wrong = await save(provider, { key: 'sk-wrong' });
    const other = await addModel((await addProvider({ key: 'sk-wrong' })).id);
    const [refused, others] = [await start(model.name), await start(other.name)];
    for (const id of [refused, others]) await whenPaused(id);
    const { message } = await save(wrong.provider, { key });
    expect(message).toContain(' 1 paused batch resumes.');
    await whenCompleted(refused);
    expect(await batchNow(refused)).toMatchObject({ answered: 12, failed: 0, charged: 36 });
    expect(await batchNow(own)).toMatchObject({ state: 'paused', pause_reason: 'person' });
    expect(await batchNow(others)).toMatchObject({ pause_reason: 'provider_refused', charged: 0 });
  });

  it('go on when a test of the provider succeeds, and their owner is told by bell and email', async () => {
    const provider = await addProvider();
    const model = await addModel(provider.id);
    second.behave({ status: 402, latency: 200 });
    const id = await start(model.name, { rows: 80 });
    await whenPaused(id);
    const pauseNow = async () => {
      const { body } = await server.call('getProviders', {}, operator);
      return body.pauses.find(({ provider_id }) => provider_id === provider.id);
    };
    expect(await pauseNow()).toMatchObject({ batches: 1, reason: expect.stringContaining('402') });
    expect(await test(provider)).toMatchObject({ works: false, resumed: 0 });
    expect(await stateOf(id)).toBe('paused');
    expect(await newsOf(id)).toEqual(['batch_paused']);
    await server.call('readNotifications', {}, client);
    second.behave({ status: null });
    expect(await test(provider)).toMatchObject({ works: true, resumed: 1 });
    await until(async () => (await newsOf(id)).includes('batch_resumed'));
    expect(await pauseNow()).toBeUndefined();
    server.clock.advance(20 * 60_000);
    await sendDueEmails(server.app.ctx);
    const { text } = await server.emailTo(client.email, 'is running again');
    expect(text).toContain('has resumed by itself');
    second.behave({ latency: 0 });
    await whenCompleted(id);
    expect(await newsOf(id)).toEqual(['batch_completed', 'batch_resumed', 'batch_paused']);
    expect(await batchNow(id)).toMatchObject({ answered: 80, charged: 240, held: 0 });
  });

  it('pause again without further news, once for each test, when they are still refused', async () => {
    const provider = await addProvider();
    const model = await addModel(provider.id);
    const id = await start(model.name, { mark: '[[status 401]]' });
    await whenPaused(id);
    const refusals = () => second.calls.filter(({ status }) => status === 401).length;
    const calls = second.calls.length;
    for (let tests = 1; tests <= 2; tests++) {
      const before = refusals();
      expect(await test(provider)).toMatchObject({ works: true, resumed: 1 });
      await until(() => refusals() > before);
      await whenPaused(id);
    }
    expect(await newsOf(id)).toEqual(['batch_paused']);
    // Two calls of each test, and at most eight rows at once.
    expect(second.calls.length - calls).toBeLessThanOrEqual(2 * (2 + 8));
    expect(await batchNow(id)).toMatchObject({ answered: 0, failed: 0, charged: 0 });
  });

  it('stay paused after a change or a test that lets the provider answer nothing', async () => {
    const provider = await addProvider({ key: 'sk-wrong' });
    const id = await start((await addModel(provider.id)).name);
    await whenPaused(id);
    const named = await save(provider, { concurrency: 4 });
    expect(named.message).not.toContain('go');
    const off = await save(named.provider, { is_enabled: false, key });
    expect(off.message).not.toMatch(/goe?s? on/);
    expect(await test(provider)).toMatchObject({ works: true, resumed: 0 });
    expect(await batchNow(id)).toMatchObject({ pause_reason: 'provider_refused' });
    const { message } = await save(off.provider);
    expect(message).toContain(' 1 paused batch resumes.');
    await whenCompleted(id);
  });

  it('go on when their model moves to another provider', async () => {
    const model = await addModel((await addProvider({ key: 'sk-wrong' })).id);
    const id = await start(model.name);
    await whenPaused(id);
    await saveModel({ ...model, label: 'Only renamed' });
    expect(await batchNow(id)).toMatchObject({ pause_reason: 'provider_refused' });
    const { id: provider_id } = await addProvider();
    await saveModel({ ...model, version: model.version + 1, provider_id });
    await whenCompleted(id);
  });

  it('go on when their model gets a fallback', async () => {
    const provider = await addProvider({ key: 'sk-wrong' });
    const model = await addModel(provider.id);
    const id = await start(model.name);
    await whenPaused(id);
    await save(provider, { is_enabled: false });
    const fallback = await addModel((await addProvider()).id, { offered_to: 'none' });
    const { name } = fallback;
    const { body } = await server.call('saveModel', { ...model, fallback: name }, operator);
    expect(body.message).toContain(' 1 paused batch resumes.');
    await whenCompleted(id);
  });

  it('go on when the fallback that refused for a turned-off provider is fixed', async () => {
    const fixed = await addProvider({ key: 'sk-wrong' });
    const fallback = await addModel(fixed.id, { offered_to: 'none' });
    const off = await addProvider();
    const model = await addModel(off.id, { fallback: fallback.name });
    const id = await start(model.name, { mark: '[[held]]' });
    await until(() => second.inFlight > 0);
    await save(off, { is_enabled: false });
    second.releaseHeld();
    await whenPaused(id);
    const { message } = await save(fixed, { key });
    expect(message).toContain(' 1 paused batch resumes.');
    await until(async () => {
      second.releaseHeld();
      return (await stateOf(id)) === 'completed';
    });
  });

  it('go on by themselves when the quota of the day is there again', async () => {
    const model = await addModel((await addProvider()).id);
    const id = await start(model.name, { mark: '[[quota of the day]]' });
    await whenPaused(id);
    const { pause_detail: detail } = await batchNow(id);
    expect(detail).toMatch(/quota for today is exhausted until 0[78]:00 UTC: You exceeded/);
    const { ctx } = server.app;
    await resumeRenewed(ctx);
    expect(await stateOf(id)).toBe('paused');
    const refused = second.calls.length;
    // The session of the client would end before the next day.
    await ctx.db
      .updateTable('batches')
      .set({ resume_at: ctx.clock.now() })
      .where('id', '=', id)
      .execute();
    await resumeRenewed(ctx);
    await until(() => second.calls.length > refused);
    await whenPaused(id);
    expect(await newsOf(id)).toEqual(['batch_paused']);
  });

  it('go on when a test of the environment’s provider succeeds', async () => {
    first.behave({ status: 402 });
    const id = await start(undefined);
    await whenPaused(id);
    expect(await test({ id: null })).toMatchObject({ works: false, resumed: 0 });
    first.behave({ status: null });
    expect(await test({ id: null })).toMatchObject({ works: true, columns: 'obeys', resumed: 1 });
    await whenCompleted(id);
  });

  it('go on after a restart, which may bring another key to the environment’s provider', async () => {
    first.behave({ status: 401 });
    const id = await start(undefined);
    await whenPaused(id);
    const calls = first.calls.length;
    await server.restart();
    await until(() => first.calls.length > calls);
    await whenPaused(id);
    first.behave({ status: null });
    await server.restart();
    await whenCompleted(id);
  });

  it('get no answers of the demo model when a start finds no provider', async () => {
    first.behave({ status: 401 });
    const id = await start(undefined);
    await whenPaused(id);
    server.settings.CHAT_BASE_URL = '';
    await server.restart();
    await until(async () => `${(await batchNow(id)).pause_detail}`.includes('only the demo model'));
    expect(await batchNow(id)).toMatchObject({ answered: 0, failed: 0, charged: 0 });
    first.behave({ status: null });
    server.settings.CHAT_BASE_URL = first.url;
    await server.restart();
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({ answered: 12, charged: 12 });
  });
});

it('asks a provider that was turned on, of which this process has not heard yet', async () => {
  const provider = await addProvider({ is_enabled: false });
  const model = await addModel(provider.id);
  const { ctx } = server.app;
  const models = await openModels(ctx.config, ctx);
  await save(provider);
  const outcome = await models.chat.ask(chatRequestFor('Hello', { model: model.name }));
  expect(outcome).toMatchObject({ kind: 'answered' });
  await models.chat.close();
});
